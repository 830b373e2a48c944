import CAllocationCounter
import PixelTypes
import TestSupport
import Testing

@testable import Matting

@Suite struct ComponentFilterTests {
  @Test("removes a faint component and its soft edge from the first frame on")
  func faintComponent() {
    let scene = MatteScene()
    for _ in 0..<5 {
      let result = scene.infer {
        $0.person(220)
        $0.ellipse(50, 60, 22, 22, alpha: 140, soft: 16)
      }
      #expect(result.before[60 * 320 + 50] > 96 && result.before[60 * 320 + 75] > 3)
      #expect(result.isEmpty(0..<90))
      #expect(result.isUntouched(120..<320))
    }
  }

  @Test("shows a large newcomer at once")
  func largeNewcomer() {
    let scene = MatteScene()
    scene.infer(times: 5) { $0.person(220) }
    #expect(
      scene.infer {
        $0.person(220)
        $0.person(60, scale: 0.7)
      }.isUntouched)
  }

  @Test func aBlurredHandNextToTheBodyIsKept() {
    let scene = MatteScene()
    scene.infer(times: 10) { $0.person(160) }
    // The hand waves for a second, with low alpha and at changing places.
    for i in 0..<30 {
      let result = scene.infer {
        $0.person(160)
        $0.ellipse(221, 124 + Double(i % 6) * 7, 8, 12, alpha: 130)
      }
      #expect(result.isUntouched, "\(i)")
    }
  }

  @Test func noiseIsNotChanged() {
    let scene = MatteScene()
    let result = scene.infer(times: 3) { painter in
      for y in 0..<180 {
        for x in 0..<320 where (x + y) % 2 == 0 { painter.fill(x..<x + 1, y..<y + 1, 200) }
      }
    }
    #expect(result.isUntouched)
    #expect(scene.infer { $0.person(160) }.isUntouched)
  }

  @Test(
    "never raises alpha in mattes of any size",
    arguments: [(1, 1), (1, 50), (50, 1), (3, 2), (9, 9)])
  func anySize(width: Int, height: Int) {
    let grid = MatteGrid(
      format: FrameFormat(width: width, height: height, colorimetry: MatteScene.format.colorimetry),
      shift: 0)
    var generator = SeededGenerator(seed: 4)
    for keep in [MatteSettings.Keep.everyone, .nearest, .tracked] {
      var scene = MatteScene(grid: grid)
      (scene.keep, scene.seen) = (keep, 0..<width)
      for _ in 0..<50 {
        let matte = Raster<UInt8>(width: width, height: height, filledWith: 0)
        let bytes = generator.bytes(width * height)
        for i in bytes.indices { unsafe matte.base[i] = bytes[i] }
        scene.ticks = Int(generator.next() % UInt64(MatteClock.maxTicks + 1))
        scene.apply(to: matte)
        // No sample increases.
        for i in bytes.indices {
          #expect(unsafe matte.base[i] <= bytes[i])
        }
      }
    }
  }

  @Test(
    .enabled(if: allocation_counter_works()),
    arguments: [MatteSettings.Keep.everyone, .nearest, .tracked])
  func nothingIsAllocated(keep: MatteSettings.Keep) {
    var scene = MatteScene()
    scene.keep = keep
    let mattes = (0..<6).map { i in
      let painter = MatteScene.Painter()
      painter.person(80)
      painter.person(230 - 12 * Double(i), scale: 0.8)
      painter.fill(75..<80, 150..<156, 60)
      painter.ellipse(300, 20, 12, 12, alpha: 150)
      return painter.matte
    }
    for matte in mattes { scene.apply(to: matte) }
    var allocations = 0
    for matte in mattes {
      let before = allocation_counter_count()
      scene.apply(to: matte)
      allocations += Int(allocation_counter_count() - before)
    }
    #expect(allocations == 0)
  }
}
