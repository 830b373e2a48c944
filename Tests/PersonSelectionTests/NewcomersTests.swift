import CAllocationCounter
import PixelTypes
import TestSupport
import Testing

@testable import Matting

/// Somebody comes in at the left or the right of the person whom `keep` leaves.
@Suite struct NewcomersTests {
  private typealias Painter = MatteScene.Painter

  /// A second of a camera, and a little more.
  private let second = MatteClock.ticks(seconds: 1) + 2

  private func scene(_ keep: MatteSettings.Keep = .nearest) -> MatteScene {
    var scene = MatteScene()
    scene.keep = keep
    return scene
  }

  /// The person, in the columns from 105 to 215.
  private func person(_ painter: Painter) { painter.person(160) }

  /// What is seen first of a newcomer, as near to the person as a hand would be.
  private func shoulder(_ painter: Painter, alpha: UInt8 = 200) {
    painter.fill(0..<95, 165..<180, alpha)
  }

  /// The same of one who touches the person, and more of them.
  private func joined(_ painter: Painter) {
    person(painter)
    painter.fill(0..<125, 140..<180, 255)
  }

  /// The person, beside whom a newcomer is seen, too faintly to count as somebody of their own.
  private func sceneWithNewcomer() -> MatteScene {
    let scene = scene()
    scene.infer(times: 5, person)
    scene.infer(times: 2) {
      person($0)
      shoulder($0, alpha: 130)
    }
    return scene
  }

  @Test(arguments: [MatteSettings.Keep.nearest, .tracked])
  func aShoulderAtASideIsNoLimb(keep: MatteSettings.Keep) {
    let scene = scene(keep)
    scene.infer(times: 5, person)
    for _ in 0..<10 {
      let result = scene.infer {
        person($0)
        shoulder($0)
      }
      #expect(result.isEmpty(0..<95) && result.isUntouched(100..<320))
    }
  }

  /// An arm in these rows grows from the person to the left side.
  private func stretchArm(_ scene: MatteScene, _ rows: Range<Int>) -> [MatteScene.Result] {
    stride(from: 112, through: 0, by: -14).map { column in
      scene.infer {
        person($0)
        $0.fill(column..<125, rows, 255)
      }
    }
  }

  @Test func anArmMayReachASide() {
    let scene = scene()
    scene.infer(times: 5, person)
    for result in stretchArm(scene, 120..<135) { #expect(result.isUntouched) }
  }

  @Test func whoWalksInAloneIsShown() {
    for isMirrored in [false, true] {
      let scene = scene()
      scene.infer(times: 5) { _ in }
      for x in stride(from: -60.0, through: 20, by: 5) {
        let result = scene.infer { $0.person(isMirrored ? 320 - x : x) }
        // Before that the head is a part of its own, and has to stay for a while.
        if x >= -15 { #expect(result.isUntouched, "at \(x)") }
      }
    }
  }

  @Test func whoJoinsThePersonStaysHiddenUntilTheFaceShouldBeSeen() {
    let scene = sceneWithNewcomer()
    for _ in 0..<second {
      let result = scene.infer(joined)
      // Above the shoulder nothing was seen of them.
      #expect(result.isEmpty(0..<80) && result.isUntouched(125..<320))
    }
    #expect(scene.infer(times: second, joined).isUntouched)
  }

  /// Somebody who touches the person in the first frame in which they are seen.
  private func touching(_ painter: Painter, isMirrored: Bool = false) {
    person(painter)
    painter.fill(isMirrored ? 270..<320 : 0..<50, 60..<180, 255)
    painter.fill(isMirrored ? 195..<320 : 0..<125, 150..<180, 255)
  }

  @Test(arguments: [false, true])
  func whoTouchesThePersonAtOnceIsHiddenForAWhile(isMirrored: Bool) {
    let scene = scene()
    scene.infer(times: 5, person)
    for _ in 0..<second {
      let result = scene.infer { touching($0, isMirrored: isMirrored) }
      #expect(result.isEmpty(isMirrored ? 225..<320 : 0..<95))
      #expect(result.isUntouched(isMirrored ? 0..<195 : 125..<320))
    }
    scene.infer(times: second) { touching($0, isMirrored: isMirrored) }
    for _ in 0..<second {
      #expect(scene.infer { touching($0, isMirrored: isMirrored) }.isUntouched)
    }
  }

  @Test(.enabled(if: allocation_counter_works()))
  func nothingIsAllocated() {
    let scene = scene()
    func painted(_ paint: (Painter) -> Void) -> Raster<UInt8> {
      let painter = Painter()
      paint(painter)
      return painter.matte
    }
    let (alone, joined) = ([painted(person), painted(person)], [painted(joined), painted(joined)])
    let beside = (0..<2).map { _ in
      painted {
        person($0)
        shoulder($0)
      }
    }
    // They come alone, become one part with the person, and go.
    let mattes = [alone[0], beside[0]] + joined + [beside[1], alone[1]]
    var allocations = 0
    for matte in mattes {
      let before = allocation_counter_count()
      scene.apply(to: matte)
      allocations += Int(allocation_counter_count() - before)
    }
    #expect(allocations == 0)
    // The newcomer was taken out of each.
    for matte in beside + joined { #expect(unsafe matte.row(175)[10] == 0) }
  }
}
