import PixelTypes
import TestSupport
import Testing

@Suite(.everyInstructionSet) struct ConvertToRGBTests {
  /// The layout of the three outputs: their first samples and the step.
  struct Layout: CustomTestStringConvertible {
    let testDescription: String
    let step: Int
    /// The positions of red, green and blue of sample 0 among `count` samples.
    let places: @Sendable (_ count: Int) -> [Int]
  }

  static let layouts = [
    Layout(testDescription: "planar", step: 1) { [0, $0, 2 * $0] },
    Layout(testDescription: "RGB", step: 3) { _ in [0, 1, 2] },
    Layout(testDescription: "BGR", step: 3) { _ in [2, 1, 0] },
    Layout(testDescription: "RGB and a fourth byte", step: 4) { _ in [0, 1, 2] },
  ]

  /// The channels' ranges, in the order of red, green and blue.
  static let ranges = [
    SampleRange(low: -0.5, high: 1.5), SampleRange(low: -2, high: 2.5),
    SampleRange(low: 0, high: 255),
  ]
  static let coefficients = RGBCoefficients(
    Colorimetry(matrix: .bt709, range: .limited), red: ranges[0], green: ranges[1],
    blue: ranges[2])

  @Test(arguments: layouts)
  func convertsAndClamps(layout: Layout) {
    let c = Self.coefficients
    for row in RowCase.all {
      let luma = row.floats(row.width, salt: 1, in: 0...255)
      let cb = row.floats(row.width, salt: 2, in: 0...255)
      let cr = row.floats(row.width, salt: 3, in: 0...255)
      let size = max(layout.step, 3) * row.width
      let places = layout.places(row.width)
      let untouched: Float = -77
      let out = row.row(repeating: untouched, size)
      unsafe kernels.convertToRGB(
        luma.base, cb.base, cr.base, c, out.base + places[0], out.base + places[1],
        out.base + places[2], layout.step, row.width)

      let (lumas, cbs, crs) = (luma.samples, cb.samples, cr.samples)
      var expected = Array(repeating: untouched, count: size)
      for i in 0..<row.width {
        let (y, b, r) = (lumas[i], cbs[i] - 128, crs[i] - 128)
        let pixel = [
          c.red.luma * y + c.red.offset + c.redFromCr * r,
          c.green.luma * y + c.green.offset + c.greenFromCb * b + c.greenFromCr * r,
          c.blue.luma * y + c.blue.offset + c.blueFromCb * b,
        ]
        for ((place, value), range) in zip(zip(places, pixel), Self.ranges) {
          expected[place + i * layout.step] = min(max(value, range.low), range.high)
        }
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: layouts)
  func nanBecomesTheMinimum(layout: Layout) {
    let count = 37
    let numbers = SampleRow<Float>(Array(repeating: 100, count: count), at: .pageEnd)
    let broken = SampleRow<Float>(Array(repeating: .nan, count: count), at: .pageEnd)
    let places = layout.places(count)
    let out = SampleRow<Float>(
      Array(repeating: 9, count: max(layout.step, 3) * count), at: .aligned)
    unsafe kernels.convertToRGB(
      broken.base, numbers.base, numbers.base, Self.coefficients, out.base + places[0],
      out.base + places[1], out.base + places[2], layout.step, count)
    let samples = out.samples
    for (place, range) in zip(places, Self.ranges) {
      #expect((0..<count).allSatisfy { samples[place + $0 * layout.step] == range.low })
    }
  }

  @Test func infinitiesAreClamped() {
    let luma = SampleRow<Float>([.infinity, -.infinity, 1e38, -1e38], at: .pageEnd)
    let chroma = SampleRow<Float>([128, 128, 128, 128], at: .pageEnd)
    let out = SampleRow<Float>(Array(repeating: 9, count: 12), at: .pageEnd)
    unsafe kernels.convertToRGB(
      luma.base, chroma.base, chroma.base, Self.coefficients, out.base, out.base + 4, out.base + 8,
      1, 4)
    #expect(out.samples == [1.5, -0.5, 1.5, -0.5, 2.5, -2, 2.5, -2, 255, 0, 255, 0])
  }
}
