import PixelTypes
import TestSupport
import Testing

@Suite(.everyInstructionSet) struct RelightTests {
  private static let curves = [
    curve(1, 1), curve(2, 1), curve(0.35, 0.35), curve(0.35, 1), curve(1.9, 1, .full),
    curve(.nan, .infinity),
  ]

  private static func curve(
    _ black: Float, _ white: Float, _ range: Colorimetry.Range = .limited, saturation: Float = 1.2,
    cb: Float = 5, cr: Float = -7
  ) -> LightCurve {
    LightCurve(
      gainAtBlack: black, gainAtWhite: white, saturation: saturation, cb: cb, cr: cr,
      colorimetry: Colorimetry(matrix: .bt709, range: range))
  }

  private func luma(_ byte: UInt8, _ curve: LightCurve) -> UInt8 {
    let low = Int(curve.low)
    guard Int(byte) > low else { return byte }
    let x = 128 * (Int(byte) - low)
    let gain = Int(curve.gain) + ((Int(curve.slope) * x) >> 16)
    return UInt8(min(low + ((((gain * x) >> 16) + 8) >> 4), 255))
  }

  private func chroma(_ byte: UInt8, _ shift: Int16, _ curve: LightCurve) -> UInt8 {
    let sum = Int(curve.saturation) * (Int(byte) - 128) + Int(shift) + 64
    return UInt8(min(max(128 + (sum >> 7), 0), 255))
  }

  @Test("applies the curve to luma", arguments: curves)
  func relightRow(curve: LightCurve) {
    for row in RowCase.all {
      let bytes = row.bytes(row.width, salt: 1)
      let expected = bytes.samples.map { luma($0, curve) }
      unsafe kernels.relightRow(bytes.base, curve, row.width)
      #expect(bytes.samples == expected && bytes.isBorderIntact, "\(row)")
    }
  }

  @Test("applies the curve to pairs of chroma", arguments: curves)
  func relightPairs(curve: LightCurve) {
    for row in RowCase.all {
      let bytes = row.bytes(2 * row.width, salt: 1)
      let expected = bytes.samples.enumerated().map {
        chroma($1, $0 % 2 == 0 ? curve.cb : curve.cr, curve)
      }
      unsafe kernels.relightPairs(bytes.base, curve, row.width)
      #expect(bytes.samples == expected && bytes.isBorderIntact, "\(row)")
    }
  }

  @Test("changes nothing without gains and shifts")
  func identity() {
    let same = Self.curve(1, 1, saturation: 1, cb: 0, cr: 0)
    let bytes = SampleRow<UInt8>(Array(0...255), at: .pageEnd)
    unsafe kernels.relightRow(bytes.base, same, 256)
    unsafe kernels.relightPairs(bytes.base, same, 128)
    #expect(bytes.samples == Array(0...255))
  }

  @Test(
    "keeps black, adds no white, and never decreases", arguments: [(2, 1), (0.35, 1), (0.6, 0.4)])
  func naturalCurve(black: Float, white: Float) {
    let bytes = SampleRow<UInt8>(Array(16...235), at: .pageEnd)
    unsafe kernels.relightRow(bytes.base, Self.curve(black, white), 220)
    #expect(bytes[0] == 16 && bytes[219] <= 235)
    #expect(abs(Float(bytes[219]) - 16 - 219 * white) <= 1)
    #expect(zip(bytes.samples, bytes.samples.dropFirst()).allSatisfy { $0 <= $1 })
  }
}
