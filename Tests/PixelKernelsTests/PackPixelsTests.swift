import PixelTypes
import TestSupport
import Testing

@Suite(.everyInstructionSet) struct PackPixelsTests {
  static let orders = [
    PixelByteOrder(red: 0, green: 1, blue: 2, alpha: 3),
    PixelByteOrder(red: 2, green: 1, blue: 0, alpha: 3),
    PixelByteOrder(red: 1, green: 2, blue: 3, alpha: 0),
    PixelByteOrder(red: 3, green: 2, blue: 1, alpha: 0),
  ]
  static let colorimetries = [Colorimetry.Matrix.bt601, .bt709, .bt2020].flatMap { matrix in
    [Colorimetry.Range.limited, .full].map { Colorimetry(matrix: matrix, range: $0) }
  }

  @Test(arguments: orders)
  func packsRedGreenBlueAndAlpha(order: PixelByteOrder) {
    let c = FixedRGBCoefficients(Colorimetry(matrix: .bt709, range: .limited))
    for row in RowCase.all {
      let (luma, chroma) = (row.bytes(row.width, salt: 1), row.bytes(2 * row.width, salt: 2))
      let alpha = row.bytes(row.width, salt: 3)
      let out = row.row(repeating: UInt8(9), 4 * row.width)
      unsafe kernels.packRGB(
        luma.base, chroma.base, alpha.base, c, order, out.base, row.width)
      var expected = [UInt8](repeating: 0, count: 4 * row.width)
      let (lumas, chromas, alphas) = (luma.samples, chroma.samples, alpha.samples)
      for i in 0..<row.width where alphas[i] != 0 {
        let y = Int(c.luma) * Int(lumas[i])
        let (b, r) = (Int(chromas[2 * i]), Int(chromas[2 * i + 1]))
        func byte(_ value: Int) -> UInt8 { UInt8(min(max(value >> 16, 0), 255)) }
        expected[4 * i + Int(order.red / 8)] = byte(y + Int(c.redFromCr) * r + Int(c.redOffset))
        expected[4 * i + Int(order.green / 8)] = byte(
          y + Int(c.greenFromCb) * b + Int(c.greenFromCr) * r + Int(c.greenOffset))
        expected[4 * i + Int(order.blue / 8)] = byte(y + Int(c.blueFromCb) * b + Int(c.blueOffset))
        expected[4 * i + Int(order.alpha / 8)] = alphas[i]
      }
      #expect(out.samples == expected, "\(row)")
      #expect(
        out.isBorderIntact && luma.isBorderIntact && chroma.isBorderIntact && alpha.isBorderIntact,
        "\(row)")
    }
  }

  /// Colours survive a round trip, within the precision of 8 bits.
  ///
  /// The coefficients come from the Recommendations.
  @Test(arguments: colorimetries)
  func colorsSurviveARoundTrip(_ colorimetry: Colorimetry) {
    let coefficients = FixedRGBCoefficients(colorimetry)
    let order = Self.orders[0]
    var worst = 0
    let values = stride(from: UInt8(0), through: 255, by: 15)
    for red in values {
      for green in values {
        let codes = values.map { colorimetry.codeValues(red: red, green: green, blue: $0) }
        let luma = SampleRow(codes.map(\.luma), at: .pageEnd)
        let chroma = SampleRow(codes.flatMap { [$0.cb, $0.cr] }, at: .pageEnd)
        let alpha = SampleRow(codes.map { _ in UInt8(255) }, at: .pageEnd)
        let out = SampleRow([UInt8](repeating: 0, count: 4 * codes.count), at: .pageEnd)
        unsafe kernels.packRGB(
          luma.base, chroma.base, alpha.base, coefficients, order, out.base, codes.count)
        let wanted: [UInt8] = values.flatMap { blue -> [UInt8] in [red, green, blue, 255] }
        for (seen, wanted) in zip(out.samples, wanted) {
          worst = max(worst, abs(Int(seen) - Int(wanted)))
        }
      }
    }
    #expect(worst <= (colorimetry.range == .full ? 1 : 2))
  }

  @Test func packsAlphaLumaAndChroma() {
    for row in RowCase.all {
      let (luma, chroma) = (row.bytes(row.width, salt: 1), row.bytes(2 * row.width, salt: 2))
      let alpha = row.bytes(row.width, salt: 3)
      let out = row.row(repeating: UInt8(9), 4 * row.width)
      unsafe kernels.packYUV(luma.base, chroma.base, alpha.base, 16, out.base, row.width)
      let (lumas, chromas) = (luma.samples, chroma.samples)
      var expected: [UInt8] = []
      for (i, a) in alpha.samples.enumerated() {
        expected += a == 0 ? [0, 16, 128, 128] : [a, lumas[i], chromas[2 * i], chromas[2 * i + 1]]
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact, "\(row)")
    }
  }
}
