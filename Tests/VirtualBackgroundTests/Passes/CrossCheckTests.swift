import Matting
import PixelTypes
import TestSupport
import Testing

@testable import VirtualBackground

@Suite struct CrossCheckTests {
  private let format = FrameFormat(width: 1280, height: 720)
  private let whole = FakeSegmenter(width: 64, height: 36)
  private let close = FakeSegmenter(width: 48, height: 48)

  private func engine(maxShare: Double) -> VirtualBackgroundEngine {
    VirtualBackgroundEngine(format, Segmenters(whole, close: close, maxShare: maxShare))
  }

  /// Returns the matte of a red person and a green door, in a light or a dark room.
  ///
  /// The person fills most of the height.
  private func shown(
    by engine: VirtualBackgroundEngine, light: Double = 1, hasDoor: Bool = true
  ) -> TestPicture {
    func dimmed(_ red: Double, _ green: Double, _ blue: Double) -> RGB {
      (UInt8(red * light), UInt8(green * light), UInt8(blue * light))
    }
    let picture = TestPicture(format: format, dimmed(20, 60, 220))
    picture.paint(dimmed(240, 30, 40)) { x, y in 400..<800 ~= x && y >= 120 }
    if hasDoor { picture.paint(dimmed(30, 240, 40)) { x, y in 800..<900 ~= x && y >= 200 } }
    engine.process(picture, settings: .matteOfEachFrame)
    return picture
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
      let picture = TestPicture(format: format, (4, 12, 44))
      picture.paint((48, 6, 8)) { x, y in
        (100..<300 ~= x || 950..<1150 ~= x) && 250..<700 ~= y
      }
      picture.paint((6, 48, 8)) { x, y in 300..<330 ~= x && 300..<700 ~= y }
      engine.process(picture, settings: .matteOfEachFrame)
      #expect(picture.luma(200, 500) > 230 && picture.luma(1050, 500) > 230)
      #expect(picture.luma(318, 500) < 40)
    }
  }

  @Test("checks a crop only in the dark", arguments: [(light: 1.0, isRoom: false), (0.2, true)])
  func onlyInTheDark(light: Double, isRoom: Bool) {
    close.alpha = { red, green, blue, _, _ in max(red, green) - blue > 0.1 ? 1 : 0 }
    whole.alpha = { red, green, _, _, _ in red - green > 0.1 ? 1 : 0 }
    let picture = shown(by: engine(maxShare: 1), light: light)
    #expect(picture.luma(600, 450) > 230)
    #expect((picture.luma(816, 500) < 20) == isRoom)
  }
}
