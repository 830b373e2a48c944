import CAllocationCounter
import Matting
import PixelTypes
import TestSupport
import Testing
import VirtualBackground

/// Masks from upstream that replace an inference.
@Suite struct PersonMaskTests {
  /// The value of samples that show the person.
  ///
  /// All others show the room.
  static let person: UInt8 = 12

  /// A mask with the person in the middle half of its columns, unless a test sets another place.
  struct Painted {
    let samples: Raster<UInt8>
    let alphas = Raster<UInt8>(width: 256, height: 1) { x, _ in
      x == PersonMaskTests.person ? 255 : 0
    }

    init(width: Int, height: Int, isPerson: ((Int, Int) -> Bool)? = nil) {
      let isPerson = isPerson ?? { x, _ in x >= width / 4 && x < width - width / 4 }
      samples = Raster(width: width, height: height) {
        isPerson($0, $1) ? PersonMaskTests.person : 7
      }
    }

    func mask(of region: PixelRegion, in format: FrameFormat) -> PersonMask? {
      PersonMask(samples: samples.plane, alphas: alphas, region: region, in: format)
    }
  }

  /// Returns a scene with a blue room and a green background.
  private func scene(width: Int = 640, height: Int = 360) -> Scene {
    var scene = Scene(width: width, height: height)
    scene.settings.effect = .color
    scene.settings.backgroundColor = 0xFF00_FF00
    return scene
  }

  private func process(
    _ scene: Scene, _ picture: TestPicture, _ painted: Painted?, region: PixelRegion? = nil
  ) throws -> FrameOutcome {
    let region = region ?? PixelRegion(wholeOf: scene.format)
    let mask = try painted.map { try #require($0.mask(of: region, in: scene.format)) }
    return withExtendedLifetime(painted) { scene.process(picture, mask: mask) }
  }

  @Test(arguments: [(64, 36), (160, 90), (7, 5), (640, 360), (1920, 1080)], [true, false])
  func aMaskNeedsNoInferenceAndNoNetwork(_ size: (Int, Int), _ hasNetwork: Bool) throws {
    let scene = scene()
    if !hasNetwork { scene.engine.use(nil as Segmenters?) }
    let picture = scene.picture()
    let painted = Painted(width: size.0, height: size.1)
    #expect(try process(scene, picture, painted) == .composed(inferred: true))
    #expect(scene.segmenter.inferences == 0)
    #expect(scene.engine.statistics.inferences == 0)
    #expect(scene.shows(picture, 320, 180, Scene.person))
    #expect(scene.shows(picture, 20, 180, (0, 255, 0)))
    #expect(scene.shows(picture, 620, 350, (0, 255, 0)))
    let matte = try #require(scene.engine.frameMatte)
    #expect(matte.isInferred)
    #expect(matte.samples.width * matte.step == 640)
  }

  /// The edge follows the picture, as with an approximate network.
  @Test func aCoarseMaskIsRefinedAndShaped() throws {
    func coverage(grow: Double) throws -> (room: Double, person: Double) {
      var scene = scene()
      scene.settings.matte.grow = grow
      // Sixteen columns of 40 pixels. The person's edges at 160 and 480 are between columns.
      let painted = Painted(width: 16, height: 9)
      _ = try process(scene, scene.picture(), painted)
      let matte = try #require(scene.engine.frameMatte)
      var (room, person) = (0.0, 0.0)
      let row = unsafe matte.samples.row(matte.samples.height / 2)
      for x in 0..<matte.samples.width {
        let alpha = unsafe Double(row[x]) / 255
        if scene.isPerson(x * matte.step) { person += alpha } else { room += alpha }
      }
      return (room * 2 / Double(matte.samples.width), person * 2 / Double(matte.samples.width))
    }
    let plain = try coverage(grow: 0)
    #expect(plain.person > 0.93)
    #expect(plain.room < 0.07)
    #expect(try coverage(grow: 30).room > plain.room + 0.05)
  }

  @Test("hides everything outside the region of the mask")
  func outsideRegion() throws {
    let scene = scene()
    let picture = scene.picture()
    let painted = Painted(width: 20, height: 20) { _, _ in true }
    let region = PixelRegion(x: 240, y: 90, width: 160, height: 180)
    #expect(try process(scene, picture, painted, region: region) == .composed(inferred: true))
    #expect(scene.shows(picture, 320, 180, Scene.person))
    for (x, y) in [(200, 180), (320, 40), (320, 320), (440, 180)] {
      #expect(scene.shows(picture, x, y, (0, 255, 0)), "\(x), \(y)")
    }
  }

  @Test func aMaskWithoutAPersonHidesEverything() throws {
    let scene = scene()
    let picture = scene.picture()
    _ = try process(scene, picture, Painted(width: 32, height: 18) { _, _ in false })
    for x in stride(from: 0, to: 640, by: 20) {
      #expect(scene.shows(picture, x, 180, (0, 255, 0)))
    }
  }

  /// The previous mask must not be reused.
  @Test("hides a frame without a mask if there is no network")
  func frameAfterMask() throws {
    var scene = scene()
    scene.settings.onFailure = .color
    scene.engine.use(nil as Segmenters?)
    _ = try process(scene, scene.picture(), Painted(width: 32, height: 18))
    let picture = scene.picture()
    guard case .hidden = try process(scene, picture, nil) else {
      Issue.record("not hidden")
      return
    }
    #expect(scene.engine.frameMatte == nil)
    for x in stride(from: 0, to: 640, by: 20) {
      #expect(scene.shows(picture, x, 180, (0, 255, 0)))
    }
    // With a network, the frame gets an inference.
    scene.engine.use(Segmenters(wholeFrame: scene.segmenter))
    let next = scene.picture()
    #expect(try process(scene, next, nil) == .composed(inferred: true))
    #expect(scene.segmenter.inferences > 0)
    #expect(scene.shows(next, 320, 180, Scene.person))
  }

  @Test("resets a network that missed frames")
  func missedFrames() throws {
    let scene = scene()
    _ = try process(scene, scene.picture(), nil)
    let before = scene.segmenter.timesForgotten
    for _ in 0..<3 {
      _ = try process(scene, scene.picture(), Painted(width: 32, height: 18))
    }
    #expect(scene.segmenter.timesForgotten == before)
    _ = try process(scene, scene.picture(), nil)
    #expect(scene.segmenter.timesForgotten == before + 1)
    _ = try process(scene, scene.picture(), nil)
    #expect(scene.segmenter.timesForgotten == before + 1)
  }

  @Test("reuses a mask like any matte")
  func reusesMask() throws {
    let scene = scene()
    _ = try process(scene, scene.picture(), Painted(width: 32, height: 18))
    let picture = scene.picture()
    #expect(scene.process(picture, infers: false) == .composed(inferred: false))
    #expect(scene.engine.frameMatte?.isInferred == false)
    #expect(scene.shows(picture, 320, 180, Scene.person))
    #expect(scene.shows(picture, 20, 180, (0, 255, 0)))
    #expect(scene.segmenter.inferences == 0)
  }

  @Test("refuses a mask that does not fit the frame")
  func misfits() {
    let format = FrameFormat(width: 64, height: 36)
    let painted = Painted(width: 8, height: 8)
    func isAccepted(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Bool {
      painted.mask(of: PixelRegion(x: x, y: y, width: width, height: height), in: format) != nil
    }
    #expect(isAccepted(0, 0, 64, 36) && isAccepted(63, 35, 1, 1))
    for (x, y, width, height) in [
      (-1, 0, 8, 8), (0, -1, 8, 8), (0, 0, 65, 36), (0, 0, 64, 37), (64, 0, 1, 1), (0, 0, 0, 8),
      (0, 0, 8, 0), (Int.max, 0, 1, 1), (1, 1, Int.max, Int.max), (0, Int.min, 1, Int.max),
    ] {
      #expect(!isAccepted(x, y, width, height), "\(x) \(y) \(width) \(height)")
    }
    let whole = PixelRegion(wholeOf: format)
    let tooLong = unsafe Plane(base: painted.samples.base, width: 8193, height: 1, stride: 8193)
    let tooShort = unsafe Plane(base: painted.samples.base, width: 8, height: 2, stride: 7)
    let empty = unsafe Plane(base: painted.samples.base, width: 0, height: 8, stride: 8)
    for plane in [tooLong, tooShort, empty] {
      #expect(PersonMask(samples: plane, alphas: painted.alphas, region: whole, in: format) == nil)
    }
  }

  /// Uses single pixels at each corner and along each edge.
  @Test(arguments: [(16, 16), (17, 19), (385, 289)])
  func smallRegionsAreAcceptedAnywhere(_ width: Int, _ height: Int) throws {
    let scene = scene(width: width, height: height)
    let painted = Painted(width: 3, height: 2) { _, _ in true }
    for x in [0, 1, width / 2, width - 2, width - 1] {
      for y in [0, 1, height / 2, height - 2, height - 1] {
        let region = PixelRegion(x: x, y: y, width: 1, height: 1)
        #expect(
          try process(scene, scene.picture(), painted, region: region)
            == .composed(inferred: true))
      }
    }
  }

  @Test(.enabled(if: allocation_counter_works()), arguments: [true, false])
  func aFrameWithAMaskAllocatesNothing(_ hasNetwork: Bool) throws {
    let scene = scene()
    if !hasNetwork { scene.engine.use(nil as Segmenters?) }
    let painted = Painted(width: 100, height: 60)
    let mask = try #require(painted.mask(of: PixelRegion(wholeOf: scene.format), in: scene.format))
    let picture = scene.picture()
    let count = withExtendedLifetime(painted) {
      allocations { scene.process(picture, mask: mask) }
    }
    #expect(count == 0)
  }
}
