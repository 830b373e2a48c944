import Matting
import PixelTypes
import TestSupport
import Testing

@testable import VirtualBackground

/// The brightness of frames that networks receive.
@Suite struct LowLightCurveTests {
  private static let format = FrameFormat(width: 320, height: 180)

  private func engine(_ segmenter: FakeSegmenter) -> VirtualBackgroundEngine {
    VirtualBackgroundEngine(Self.format, segmenter)
  }

  /// Returns the colour, of 0 to 1, that the network sees in the middle of a picture.
  private func seen(
    _ picture: TestPicture, by segmenter: FakeSegmenter, _ engine: VirtualBackgroundEngine
  ) -> [Float] {
    engine.process(picture, settings: .everyFrame)
    return (0..<3).map { unsafe segmenter.inputTensor[($0 * 18 + 9) * 32 + 16] }
  }

  private func gray(_ level: UInt8) -> TestPicture {
    TestPicture(format: Self.format, (level, level, level))
  }

  @Test("does not brighten light or colourful rooms, or a dark one with a window")
  func light() {
    for (color, hasWindow) in [
      ([150, 150, 150], false), ([200, 0, 0], false), ([0, 200, 0], false), ([0, 0, 200], false),
      ([12, 12, 12], true),
    ] as [([UInt8], Bool)] {
      let segmenter = FakeSegmenter()
      let picture = TestPicture(format: Self.format, (color[0], color[1], color[2]))
      if hasWindow { picture.paint((240, 240, 240)) { x, y in x < 40 && y < 60 } }
      for (found, own) in zip(seen(picture, by: segmenter, engine(segmenter)), color) {
        #expect(abs(found - Float(own) / 255) < 0.02, "\(color)")
      }
    }
  }

  @Test("shows a flickering dark scene in an even light, and another scene in its own at once")
  func changes() {
    let segmenter = FakeSegmenter()
    let engine = engine(segmenter)
    let gains = [40, 41, 40, 39, 40].map { level in
      seen(gray(level), by: segmenter, engine)[0] * 255 / Float(level)
    }
    #expect(gains[0] > 2)
    for gain in gains { #expect(abs(gain / gains[0] - 1) < 0.05) }
    for level: UInt8 in [200, 20] {
      let other = FakeSegmenter()
      let settled = seen(gray(level), by: other, self.engine(other))
      #expect(seen(gray(level), by: segmenter, engine) == settled)
    }
  }

  @Test(
    "finds a light area in a dark scene", arguments: [TensorFormat.Layout.planar, .interleaved])
  func theNetworkSeesLight(layout: TensorFormat.Layout) {
    let segmenter = FakeSegmenter(
      format: TensorFormat(width: 64, height: 36, layout: layout, fit: .stretch),
      alpha: { red, green, blue, _, _ in min(red, green, blue) > 0.6 ? 1 : 0 })
    let engine = engine(segmenter)
    var settings = EffectSettings.everyFrame
    settings.effect = .matte
    for light: UInt8 in [250, 50] {
      let picture = gray(4)
      picture.paint((light, light, light)) { x, y in x < 160 && y > 40 }
      engine.process(picture, settings: settings)
      #expect(picture.luma(80, 120) > 230 && picture.luma(240, 120) < 20)
    }
  }
}
