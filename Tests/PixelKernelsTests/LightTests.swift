import Glibc
import PixelTypes
import Processor
import Testing

/// Properties of the formulas for light, which their specifications do not show.
@Suite struct LightTests {
  private static let ranges = [Colorimetry.Range.limited, .full]

  private func curve(_ amount: Double, _ range: Colorimetry.Range) -> LightCurve {
    LightCurve(brighteningBy: amount, Colorimetry(matrix: .bt709, range: range))
  }

  private static func curve(
    _ black: Float, _ white: Float, saturation: Float = 1.2, cb: Float = 5, cr: Float = -7
  ) -> LightCurve {
    LightCurve(
      gainAtBlack: black, gainAtWhite: white, saturation: saturation, cb: cb, cr: cr,
      colorimetry: Colorimetry(matrix: .bt709, range: .limited))
  }

  @Test(
    "linear light is within 2.3 code values of sRGB, and restores every code value",
    arguments: InstructionSet.available)
  func transferFunction(set: InstructionSet) {
    let codes = Array(0...255 as ClosedRange<UInt8>)
    let factors = ColorFactors(1 / 255.0, 0, 0, offset: 0)
    var sums = [Float](repeating: 7, count: 256)
    unsafe set.kernels.lightRow(codes, codes, codes, factors, &sums, 256)
    sums += codes.map { code in
      let x = Double(code) / 255
      return Float(x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4))
    }
    var out = [Float](repeating: 7, count: 512)
    unsafe set.kernels.encodeLight(sums, [Float](repeating: 1, count: 512), &out, 512)
    for code in 0...255 {
      #expect(abs(out[code] - Float(code) / 255) < 1e-4)
      #expect(abs(255 * out[256 + code] - Float(code)) < 2.3)
    }
  }

  @Test(
    "brightening follows the curve, rises, and keeps black and white", arguments: [0.02, 0.3, 1],
    ranges)
  func brightening(amount: Double, range: Colorimetry.Range) {
    var codes = Array(0...255 as ClosedRange<UInt8>)
    unsafe InstructionSet.baseline.kernels.brightenRow(codes, curve(amount, range), &codes, 256)
    let (black, white) = range == .full ? (0, 255) : (16, 235)
    for code in black...white {
      var x = Double(code - black) / Double(white - black)
      for _ in 0..<3 { x += amount * x * (1 - x) }
      #expect(abs(Double(codes[code]) - (Double(black) + Double(white - black) * x)) < 1.2)
    }
    #expect(codes == codes.sorted())
    #expect(Int(codes[black]) == black && Int(codes[white]) == white)
  }

  @Test("limits the amount of the curve")
  func limits() {
    #expect(curve(.nan, .full) == curve(0, .full) && curve(-1, .full) == curve(0, .full))
    #expect(curve(2, .limited) == curve(1, .limited))
  }

  @Test("brightening keeps the saturation of colours")
  func saturation() {
    let (kernels, curve) = (InstructionSet.baseline.kernels, curve(0.8, .full))
    for code in stride(from: 20, through: 120, by: 10) {
      var (luma, chroma): ([UInt8], [UInt8]) = ([UInt8(code)], [7, 7])
      unsafe kernels.brightenPairs([118, 138], luma, luma, curve, &chroma, 1)
      unsafe kernels.brightenRow([UInt8(code)], curve, &luma, 1)
      let factor = Double(luma[0]) / Double(code)
      #expect(abs(Double(chroma[0]) - (128 - 10 * factor)) < 1.2)
      #expect(abs(Double(chroma[1]) - (128 + 10 * factor)) < 1.2)
    }
  }

  @Test("relighting changes nothing without gains and shifts")
  func identity() {
    let (kernels, same) = (
      InstructionSet.baseline.kernels, Self.curve(1, 1, saturation: 1, cb: 0, cr: 0)
    )
    var bytes = Array(0...255 as ClosedRange<UInt8>)
    unsafe kernels.relightRow(&bytes, same, 256)
    unsafe kernels.relightPairs(&bytes, same, 128)
    #expect(bytes == Array(0...255))
  }

  @Test(
    "relighting keeps black, adds no white, and never decreases",
    arguments: [(2, 1), (0.35, 1), (0.6, 0.4)] as [(Float, Float)])
  func naturalCurve(black: Float, white: Float) {
    var bytes = Array(16...235 as ClosedRange<UInt8>)
    unsafe InstructionSet.baseline.kernels.relightRow(&bytes, Self.curve(black, white), 220)
    #expect(bytes[0] == 16 && bytes[219] <= 235)
    #expect(abs(Float(bytes[219]) - 16 - 219 * white) <= 1)
    #expect(bytes == bytes.sorted())
  }
}
