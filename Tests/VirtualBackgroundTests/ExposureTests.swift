import InferenceTypes
import PixelTypes
import Processor
import TestSupport
import Testing

@testable import Matting
@testable import VirtualBackground

@Suite struct ExposureTests {
  private static let colorimetry = Colorimetry(matrix: .bt709, range: .limited)
  private let exposure = Exposure(colorimetry)

  private func picture(_ luma: (_ x: Int, _ y: Int) -> Double) -> TestPicture {
    let picture = TestPicture(
      format: FrameFormat(width: 320, height: 180, colorimetry: Self.colorimetry))
    picture.paint(red: 0, green: 0, blue: 0)
    for y in 0..<180 {
      for x in 0..<320 {
        unsafe picture.frame.luma.row(y)[x] = UInt8(16 + (219 * luma(x, y)).rounded())
      }
    }
    return picture
  }

  private func adapt(_ exposure: Exposure, to picture: TestPicture, after ticks: Int = 1) {
    withExtendedLifetime(picture) { exposure.adapt(to: picture.frame, after: ticks) }
  }

  /// Shows it a ramp of greys up to `white`, of 0 to 1.
  private func adapt(_ exposure: Exposure, to white: Double, after ticks: Int = 1) {
    adapt(exposure, to: picture { x, _ in white * Double(x) / 319 }, after: ticks)
  }

  /// What becomes of a sample.
  private func adjusted(
    _ exposure: Exposure, _ luma: Float, _ cb: Float = 128, _ cr: Float = 128
  ) -> (luma: Float, cb: Float, cr: Float) {
    var sample = (luma: luma, cb: cb, cr: cr)
    unsafe exposure.adjust(&sample.luma, &sample.cb, &sample.cr, 1)
    return sample
  }

  @Test func lightIsLeftAsItIs() {
    adapt(exposure, to: 0.6)
    #expect(!exposure.isActive)
  }

  @Test func aWindowIsLightEnough() {
    adapt(exposure, to: picture { x, y in x < 40 && y < 60 ? 0.95 : 0.05 })
    #expect(!exposure.isActive)
  }

  @Test func aColourfulRoomIsNotDark() {
    for (red, green, blue): (UInt8, UInt8, UInt8) in [(200, 0, 0), (0, 200, 0), (0, 0, 200)] {
      let picture = picture { _, _ in 0 }
      picture.paint(red: red, green: green, blue: blue)
      adapt(exposure, to: picture)
      #expect(!exposure.isActive)
    }
  }

  @Test(arguments: [0.1, 0.2, 0.3])
  func whatIsBrightestInTheDarkIsLight(white: Double) {
    adapt(exposure, to: white)
    #expect(exposure.isActive)
    let brightest = adjusted(exposure, Float(16 + 219 * white))
    #expect(brightest.luma > 160 && brightest.luma <= 235)
    let middle = adjusted(exposure, Float(16 + 219 * white / 2))
    #expect(middle.luma > 100 && middle.luma < brightest.luma)
    #expect(adjusted(exposure, 16).luma == 16)
  }

  @Test func blackBecomesNoRoom() {
    adapt(exposure, to: 0)
    #expect(adjusted(exposure, 16).luma == 16)
  }

  @Test func coloursKeepTheirHue() {
    adapt(exposure, to: 0.2)
    let (luma, cb, cr) = adjusted(exposure, 40, 120, 140)
    #expect(luma > 40)
    #expect(cb < 120 && cr > 140)
    #expect(abs((cr - 128) / (128 - cb) - 1.5) < 1e-4)
  }

  @Test func tremblingLightChangesNothing() {
    adapt(exposure, to: 0.2)
    let before = adjusted(exposure, 40).luma
    for i in 0..<60 {
      adapt(exposure, to: i % 2 == 0 ? 0.202 : 0.198)
      #expect(adjusted(exposure, 40).luma == before)
    }
  }

  @Test func lightThatFadesIsFollowedSlowly() {
    adapt(exposure, to: 0.2)
    let before = adjusted(exposure, 40).luma
    adapt(exposure, to: 0.17)
    let step = adjusted(exposure, 40).luma - before
    #expect(step > 0 && step < 3)
    for _ in 0..<120 { adapt(exposure, to: 0.17) }
    let settled = Exposure(Self.colorimetry)
    adapt(settled, to: 0.17)
    #expect(abs(adjusted(exposure, 40).luma - adjusted(settled, 40).luma) < 5)
  }

  @Test func itTakesTheSameTimeAtAnyRate() {
    let rare = Exposure(Self.colorimetry)
    for each in [exposure, rare] { adapt(each, to: 0.2) }
    for _ in 0..<10 { adapt(exposure, to: 0.17) }
    adapt(rare, to: 0.17, after: 10)
    #expect(abs(adjusted(exposure, 40).luma - adjusted(rare, 40).luma) < 0.01)
  }

  @Test func anotherSceneIsAdaptedToAtOnce() {
    for (from, to) in [(0.2, 0.1), (0.1, 0.8), (0.8, 0.1)] {
      let settled = Exposure(Self.colorimetry)
      adapt(exposure, to: from)
      adapt(exposure, to: to)
      adapt(settled, to: to)
      #expect(adjusted(exposure, 40).luma == adjusted(settled, 40).luma)
    }
  }

  /// A network that takes what is light for a person finds one in the dark.
  @Test(arguments: [
    TensorFormat.Layout.planar, .interleaved,
  ])
  func theNetworkSeesLight(layout: TensorFormat.Layout) {
    let format = FrameFormat(width: 320, height: 180, colorimetry: Self.colorimetry)
    let segmenter = FakeSegmenter(
      format: TensorFormat(width: 64, height: 36, layout: layout, fit: .stretch),
      alpha: { red, green, blue, _, _ in min(red, green, blue) > 0.6 ? 1 : 0 })
    let engine = VirtualBackgroundEngine(kernels: InstructionSet.current.kernels)
    engine.configure(for: format)
    engine.use(Segmenters(wholeFrame: segmenter))
    var settings = EffectSettings()
    settings.effect = .matte
    for light: UInt8 in [250, 50] {
      let picture = TestPicture(format: format)
      picture.paint(red: 4, green: 4, blue: 4)
      picture.paint(red: light, green: light, blue: light) { x, y in x < 160 && y > 40 }
      _ = engine.process(picture.frame, settings: settings)
      #expect(picture.luma(80, 120) > 230 && picture.luma(240, 120) < 20)
    }
  }
}
