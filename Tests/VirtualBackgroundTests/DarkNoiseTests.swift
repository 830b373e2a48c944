import InferenceTypes
import PixelTypes
import Processor
import TestSupport
import Testing

@testable import Matting

/// What networks see of the noise in dark frames.
@Suite struct DarkNoiseTests {
  private static let frame = FrameFormat(
    width: 320, height: 180, colorimetry: Colorimetry(matrix: .bt709, range: .limited))
  private static let dark = 0.2, light = 0.7

  /// A grey picture with noise of its own in each sample.
  private func picture(light: Double, lumaNoise: Int = 0, chromaNoise: Int = 0) -> TestPicture {
    let picture = TestPicture(format: Self.frame)
    var random = SeededGenerator(seed: 5)
    func noise(_ most: Int) -> Int { Int.random(in: -most...most, using: &random) }
    for y in 0..<180 {
      let (luma, chroma) = unsafe (picture.frame.luma.row(y), picture.frame.chroma.row(y / 2))
      for x in 0..<320 {
        unsafe luma[x] = UInt8(16 + Int(219 * light) + noise(lumaNoise))
        if y % 2 == 0 { unsafe chroma[x] = UInt8(128 + noise(chromaNoise)) }
      }
    }
    return picture
  }

  /// How much the red of neighbours in a tensor has in common, whatever its contrast: 0 for what is
  /// independent, 1 for what is the same.
  private func correlation(
    _ picture: TestPicture, _ filter: TensorFormat.Filter, width: Int, height: Int
  ) -> Double {
    let kernels = InstructionSet.current.kernels
    let tensor = TensorFormat(
      width: width, height: height, layout: .planar, fit: .stretch, filter: filter)
    let preparation = TensorPreparation(
      format: Self.frame, leastShift: 0, tensor: tensor, kernels: kernels)
    let exposure = Exposure(Self.frame.colorimetry)
    var values = [Float](repeating: .nan, count: 3 * width * height)
    withExtendedLifetime(picture) {
      exposure.adapt(to: picture.frame, after: 1)
      unsafe values.withUnsafeMutableBufferPointer { values in
        guard let base = values.baseAddress else { return }
        unsafe preparation.fill(
          base, with: PixelRegion(wholeOf: Self.frame), of: picture.frame, shift: 0,
          exposure: exposure)
      }
    }
    let red = values[0..<width * height].map(Double.init)
    let mean = red.reduce(0, +) / Double(red.count)
    var (product, square) = (0.0, 0.0)
    for y in 0..<height {
      for x in 0..<width - 1 {
        let (here, beside) = (red[y * width + x] - mean, red[y * width + x + 1] - mean)
        product += here * beside
        square += (here * here + beside * beside) / 2
      }
    }
    return product / square
  }

  @Test(arguments: [TensorFormat.Filter.triangle, .lanczos])
  func theNoiseOfDarkColoursIsAveragedAway(filter: TensorFormat.Filter) {
    func correlation(_ light: Double) -> Double {
      self.correlation(picture(light: light, chromaNoise: 8), filter, width: 160, height: 90)
    }
    #expect(correlation(Self.light) < 0.5)
    #expect(correlation(Self.dark) > 0.8)
  }

  @Test func theNoiseOfDarkLumaIsAveragedAwayWhereTheFilterIsSharp() {
    func correlation(_ light: Double, _ filter: TensorFormat.Filter) -> Double {
      self.correlation(picture(light: light, lumaNoise: 8), filter, width: 192, height: 108)
    }
    #expect(correlation(Self.light, .lanczos) < 0.15)
    #expect(correlation(Self.dark, .lanczos) > 0.35)
    let difference = correlation(Self.dark, .triangle) - correlation(Self.light, .triangle)
    #expect(abs(difference) < 0.02)
  }

  @Test func samplesThatAreFarApartAreLeftAsTheyAre() {
    func correlation(_ light: Double) -> Double {
      self.correlation(picture(light: light, lumaNoise: 8), .lanczos, width: 40, height: 24)
    }
    #expect(abs(correlation(Self.dark) - correlation(Self.light)) < 0.02)
  }
}
