import InferenceTypes
import PixelTypes
import TestSupport
import Testing

@testable import VirtualBackground

@Suite struct CrossCheckTests {
  private let format = FrameFormat(
    width: 1280, height: 720, colorimetry: Colorimetry(matrix: .bt709, range: .limited))
  private let whole = FakeSegmenter(
    format: TensorFormat(width: 64, height: 36, layout: .planar, fit: .stretch))
  private let close = FakeSegmenter(
    format: TensorFormat(width: 48, height: 48, layout: .planar, fit: .stretch))

  private func engine(maxShare: Double) -> VirtualBackgroundEngine {
    let engine = VirtualBackgroundEngine()
    engine.configure(for: format)
    engine.use(
      Segmenters(
        wholeFrame: whole,
        crop: Segmenters.Crop(
          segmenter: close, peopleFinder: whole,
          margins: CropMargins(margin: 0.1, maxShare: maxShare))))
    return engine
  }

  /// Returns the matte of a red person and a green door, in a light or a dark room.
  ///
  /// The person fills most of the height.
  private func shown(
    by engine: VirtualBackgroundEngine, light: Double = 1, hasDoor: Bool = true
  ) -> TestPicture {
    func dimmed(_ value: Double) -> UInt8 { UInt8(value * light) }
    let picture = TestPicture(format: format, padding: 0)
    picture.paint(red: dimmed(20), green: dimmed(60), blue: dimmed(220))
    picture.paint(red: dimmed(240), green: dimmed(30), blue: dimmed(40)) { x, y in
      400..<800 ~= x && y >= 120
    }
    if hasDoor {
      picture.paint(red: dimmed(30), green: dimmed(240), blue: dimmed(40)) { x, y in
        800..<900 ~= x && y >= 200
      }
    }
    process(engine, picture)
    return picture
  }

  private func process(_ engine: VirtualBackgroundEngine, _ picture: TestPicture) {
    var settings = EffectSettings.everyFrame
    settings.effect = .matte
    settings.matte.smoothing = 0
    _ = withExtendedLifetime(picture) { engine.process(picture.frame, settings: settings) }
  }

  private static let redOrGreen: FakeSegmenter.Alpha = { red, green, blue, _, _ in
    max(red, green) - blue > 0.3 ? 1 : 0
  }

  @Test("hides a false positive of one network from the first frame on")
  func falsePositive() {
    whole.alpha = Self.redOrGreen
    let engine = engine(maxShare: 0.1)
    for _ in 0..<3 {
      let picture = shown(by: engine)
      #expect(picture.luma(600, 450) > 230 && picture.luma(850, 500) < 20)
    }
    #expect(close.inferences >= 3)
  }

  @Test("shows a person in every frame, even if only one network finds them")
  func singleNetwork() {
    close.alpha = { _, _, _, _, _ in 0 }
    let engine = engine(maxShare: 0.1)
    for _ in 0..<40 { #expect(shown(by: engine, hasDoor: false).luma(600, 450) > 230) }
  }

  @Test("checks the crop of each person in the dark")
  func eachPersonInTheDark() {
    close.alpha = { red, green, blue, _, _ in max(red, green) - blue > 0.1 ? 1 : 0 }
    whole.alpha = { red, green, _, _, _ in red - green > 0.1 ? 1 : 0 }
    let engine = engine(maxShare: 1)
    for _ in 0..<20 {
      let picture = TestPicture(format: format, padding: 0)
      picture.paint(red: 4, green: 12, blue: 44)
      picture.paint(red: 48, green: 6, blue: 8) { x, y in
        (100..<300 ~= x || 950..<1150 ~= x) && 250..<700 ~= y
      }
      picture.paint(red: 6, green: 48, blue: 8) { x, y in 300..<330 ~= x && 300..<700 ~= y }
      process(engine, picture)
      #expect(picture.luma(200, 500) > 230 && picture.luma(1050, 500) > 230)
      #expect(picture.luma(318, 500) < 40)
    }
  }

  @Test(
    "checks a crop only in the dark", arguments: [(light: 1.0, isRoom: false), (0.2, true)])
  func onlyInTheDark(light: Double, isRoom: Bool) {
    close.alpha = { red, green, blue, _, _ in max(red, green) - blue > 0.1 ? 1 : 0 }
    whole.alpha = { red, green, _, _, _ in red - green > 0.1 ? 1 : 0 }
    let picture = shown(by: engine(maxShare: 1), light: light)
    #expect(picture.luma(600, 450) > 230)
    #expect((picture.luma(816, 500) < 20) == isRoom)
  }
}
