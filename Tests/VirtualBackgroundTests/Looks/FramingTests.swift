import Compositing
import Matting
import PixelTypes
import TestSupport
import Testing

@testable import VirtualBackground

/// The output of the engine with `framing=follow`.
@Suite struct FramingTests {
  private static let tensor = TensorFormat(width: 160, height: 90)

  /// A scene that follows the people, and a picture with a small person in it.
  private func scene(
    _ width: Int = 640, _ height: Int = 360, effect: EffectSettings.Effect
  ) -> (scene: Scene, picture: TestPicture) {
    var scene = Scene(width: width, height: height, tensor: Self.tensor, edge: .exact)
    scene.settings.framing = .follow
    scene.settings.effect = effect
    scene.settings.matte.smoothing = 0
    return (scene, picture(scene))
  }

  /// A person in the lower two thirds, right of the middle, with a tenth of the frame's width.
  private func picture(_ scene: Scene) -> TestPicture {
    let picture = TestPicture(format: scene.format, padding: 3, Scene.room)
    let (width, height) = (scene.format.width, scene.format.height)
    picture.paint(Scene.person) { x, y in
      20 * x >= 11 * width && 20 * x < 13 * width && 3 * y >= height
    }
    return picture
  }

  /// Processes frames until the region stands still, and returns the last one.
  private func settle(
    _ scene: Scene, _ picture: TestPicture, into output: TestPlanes? = nil
  ) -> TestPicture {
    var last = picture.copy()
    for index in 0..<300 {
      last = picture.copy()
      let outcome = scene.process(last, into: output, at: UInt64(index) * 33_333_333)
      #expect(outcome == .composed(inferred: true))
    }
    return last
  }

  @Test(
    "enlarges the person up to twice, at every frame size",
    arguments: [(640, 360), (641, 361), (1919, 1079), (360, 640), (64, 36)])
  func enlarges(_ width: Int, _ height: Int) {
    let (scene, picture) = scene(width, height, effect: .none)
    let shown = settle(scene, picture)
    let region = scene.engine.statistics.region
    #expect(abs(region.size - 0.5) < 0.02)
    // The person is in the middle of the output, and twice as wide.
    let y = height * 3 / 4
    let red = scene.code(Scene.person).cr
    let columns = (0..<width).filter { shown.chroma($0, y).cr > (red + 128) / 2 }
    #expect(abs(columns.count - width / 5) <= 3 + width / 100)
    #expect(abs((columns.first ?? 0) + (columns.last ?? 0) - width) <= 6 + width / 50)
    #expect(shown.paddingIsIntact)
  }

  @Test(
    "keeps a background picture still, and hides the room",
    arguments: [EffectSettings.Effect.color, .replace, .transparent, .matte])
  func hidesTheRoom(effect: EffectSettings.Effect) {
    let (scene, picture) = scene(effect: effect)
    scene.engine.use(
      Plate(format: scene.format) { $0.luma.change { _, y, _ in UInt8(40 + y / 2) } })
    let shown = settle(scene, picture)
    let room = scene.code(Scene.room)
    for (x, y) in [(10, 10), (100, 200), (200, 340), (600, 100)] {
      #expect(abs(shown.chroma(x, y).cb - room.cb) > 20)
      if effect == .replace { #expect(shown.luma(x, y) == 40 + y / 2) }
    }
    if effect != .matte { #expect(scene.shows(shown, 320, 300, Scene.person)) }
  }

  @Test(
    "writes the same picture in place and to other formats",
    arguments: [EffectSettings.Effect.none, .blur, .color])
  func outputs(effect: EffectSettings.Effect) {
    let (scene, picture) = scene(effect: effect)
    let shown = settle(scene, picture)
    let (other, _) = self.scene(effect: effect)
    let output = TestPlanes(.nv12, format: other.format)
    let before = settle(other, picture, into: output)
    #expect(before.maxDifference(from: picture) == 0)
    #expect(output.makePicture().maxLumaDifference(from: shown) == 0)
  }

  @Test("the matte that is attached fits the output")
  func attachedMatte() throws {
    let (scene, picture) = scene(effect: .color)
    let shown = settle(scene, picture)
    let matte = try #require(scene.engine.frameMatte)
    for (x, y) in [(320, 300), (280, 300), (360, 300), (100, 300), (320, 10), (600, 340)] {
      let alpha = unsafe matte.samples.row(y / matte.step)[x / matte.step]
      #expect(scene.shows(shown, x, y, Scene.person) == (alpha == 255))
    }
  }

  @Test("moves with subpixel accuracy")
  func subpixels() {
    // The mean of the row moves by less than a pixel per frame, and never back.
    let (scene, _) = scene(effect: .none)
    let ramp = picture(scene)
    ramp.frame.luma.change { x, y, old in y < 60 ? UInt8(20 + x / 4) : old }
    var lefts: [Double] = []
    for index in 0..<200 {
      let frame = ramp.copy()
      scene.process(frame, at: UInt64(index) * 33_333_333)
      let region = scene.engine.statistics.region
      lefts.append(region.x)
      guard region.y * 360 < 40 else { continue }
      // Each sample of the ramp has the position that the region implies.
      for x in [10, 200, 333, 620] {
        let source = region.x * 640 + (Double(x) + 0.5) * region.size - 0.5
        #expect(abs(Double(frame.luma(x, 1)) - (20 + source / 4)) < 1.6)
      }
    }
    #expect(lefts == lefts.sorted() && lefts.last.map { $0 > 0.2 } == true)
  }

  @Test("shows a whole frame without a matte if there is no effect")
  func withoutMatte() {
    let (scene, picture) = scene(effect: .none)
    _ = settle(scene, picture)
    let frame = picture.copy()
    let outcome = scene.engine.hide(frame, settings: scene.settings, because: failure)
    #expect(outcome == .hidden(failure))
    #expect(frame.maxDifference(from: picture) == 0)
    #expect(scene.engine.statistics.region == .whole)
  }

  @Test("reports the region of a held picture")
  func heldPicture() {
    var (scene, picture) = scene(effect: .color)
    scene.settings.onFailure = .hold
    _ = settle(scene, picture)
    let region = scene.engine.statistics.region
    scene.engine.hide(picture.copy(), settings: scene.settings, because: failure)
    #expect(region.size < 1 && scene.engine.statistics.region == region)
  }

  @Test("returns to the whole frame when it is switched off")
  func off() {
    var (scene, picture) = scene(effect: .color)
    _ = settle(scene, picture)
    scene.settings.framing = .fixed
    let shown = settle(scene, picture)
    #expect(scene.engine.statistics.region == .whole)
    #expect(
      scene.shows(shown, 384, 300, Scene.person) && !scene.shows(shown, 320, 300, Scene.person))
  }

  @Test("leaves head room above the person in turned frames", arguments: 1...8)
  func orientations(exif: Int) throws {
    let orientation = try #require(ImageOrientation(exifValue: exif))
    let (upright, base) = scene(640, 640, effect: .none)
    let stored = TestPicture(format: upright.format)
    orientation.inverse.turn(base.frame, into: stored.frame)
    var format = upright.format
    format.orientation = orientation
    upright.engine.configure(for: format)
    let shown = settle(upright, stored)
    let result = TestPicture(format: upright.format)
    withExtendedLifetime(shown) { orientation.turn(shown.frame, into: result.frame) }
    let red = upright.code(Scene.person).cr
    let rows = (0..<640).filter { result.chroma(320, $0).cr > (red + 128) / 2 }
    #expect(abs((rows.first ?? 0) - 77) <= 8)
  }
}
