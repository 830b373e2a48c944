import PixelTypes
import TestSupport
import Testing

@Suite(.everyInstructionSet) struct LowLightTests {
  private static let amounts = [0.02, 0.3, 1]
  private static let ranges = [Colorimetry.Range.limited, .full]

  private func curve(_ amount: Double, _ range: Colorimetry.Range) -> LightCurve {
    LightCurve(brighteningBy: amount, Colorimetry(matrix: .bt709, range: range))
  }

  /// The gains of the three steps, and the result.
  private func steps(_ luma: Int, _ curve: LightCurve) -> (gains: [Int], luma: UInt8) {
    var (x, gains) = (128 * max(luma - Int(curve.low), 0), [Int]())
    for _ in 0..<3 {
      gains.append(max(Int(curve.gain) + (Int(curve.slope) * x) >> 16, 8192))
      x = ((gains[gains.count - 1] * x) >> 16) << 3
    }
    return (gains, UInt8(Int(curve.low) + (x + 64) >> 7))
  }

  @Test("brightens luma as specified, and may work in place", arguments: amounts, ranges)
  func brightenRow(amount: Double, range: Colorimetry.Range) {
    let curve = curve(amount, range)
    for row in RowCase.all {
      let samples = row.bytes(row.width, salt: 1)
      let out = row.row(repeating: 7 as UInt8, row.width)
      unsafe kernels.brightenRow(samples.base, curve, out.base, row.width)
      let expected = samples.samples.map { steps(Int($0), curve).luma }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && samples.isBorderIntact, "\(row)")
      unsafe kernels.brightenRow(samples.base, curve, samples.base, row.width)
      #expect(samples.samples == expected, "\(row)")
    }
  }

  @Test("follows the curve, rises, and keeps black and white", arguments: amounts, ranges)
  func curve(amount: Double, range: Colorimetry.Range) {
    let codes = SampleRow<UInt8>(Array(0...255), at: .pageEnd)
    unsafe kernels.brightenRow(codes.base, curve(amount, range), codes.base, 256)
    let (black, white) = range == .full ? (0, 255) : (16, 235)
    for code in black...white {
      var x = Double(code - black) / Double(white - black)
      for _ in 0..<3 { x += amount * x * (1 - x) }
      #expect(abs(Double(codes[code]) - (Double(black) + Double(white - black) * x)) < 1.2)
    }
    #expect(codes.samples == codes.samples.sorted())
    #expect(Int(codes[black]) == black && Int(codes[white]) == white)
  }

  @Test("limits the amount of the curve")
  func limits() {
    #expect(curve(.nan, .full) == curve(0, .full) && curve(-1, .full) == curve(0, .full))
    #expect(curve(2, .limited) == curve(1, .limited))
  }

  @Test("brightens chroma as specified", arguments: amounts, ranges)
  func brightenPairs(amount: Double, range: Colorimetry.Range) {
    let curve = curve(amount, range)
    for row in RowCase.all {
      // The last luma sample of an odd width belongs to a pair alone.
      let count = (row.width + 1) / 2
      let lumaCount = max(2 * count - 1, 0)
      let (top, bottom) = (row.bytes(lumaCount, salt: 1), row.bytes(lumaCount, salt: 2))
      let chroma = row.bytes(2 * count, salt: 3)
      let out = row.row(repeating: 7 as UInt8, 2 * count)
      unsafe kernels.brightenPairs(chroma.base, top.base, bottom.base, curve, out.base, count)
      let expected = (0..<2 * count).map { i in
        let g = steps((Int(top[i / 2 * 2]) + Int(bottom[i / 2 * 2]) + 1) / 2, curve).gains
        let both = ((g[0] * g[1]) >> 16) << 2
        let factor = ((both * g[2]) >> 16) << 3
        let eighths = ((Int(chroma[i]) - 128) * 128 * factor) >> 16
        return UInt8(min(max((eighths + 4) >> 3 + 128, 0), 255))
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && chroma.isBorderIntact && top.isBorderIntact, "\(row)")
    }
  }

  @Test("keeps the saturation of colours")
  func saturation() {
    let curve = curve(0.8, .full)
    for code in stride(from: 20, through: 120, by: 10) {
      let luma = SampleRow<UInt8>([UInt8(code)], at: .pageEnd)
      let chroma = SampleRow<UInt8>([118, 138], at: .pageEnd)
      unsafe kernels.brightenPairs(chroma.base, luma.base, luma.base, curve, chroma.base, 1)
      unsafe kernels.brightenRow(luma.base, curve, luma.base, 1)
      let factor = Double(luma[0]) / Double(code)
      #expect(abs(Double(chroma[0]) - (128 - 10 * factor)) < 1.2)
      #expect(abs(Double(chroma[1]) - (128 + 10 * factor)) < 1.2)
    }
  }

  @Test("averages only samples that differ by noise, inside of the person", arguments: [256, 1536])
  func pastWeights(noise: UInt16) {
    for row in RowCase.all {
      let samples = row.bytes(row.width, salt: 1)
      let matte = row.row((0..<row.width).map { UInt8($0 % 5 == 0 ? 254 : 255) })
      let past = row.row(
        samples.samples.enumerated().map { i, sample in
          i % 7 == 0 ? 0 : UInt16(min(max(Int(sample) * 256 + i % 41 * 100 - 2000, 1), 65535))
        })
      let before = past.samples
      let out = row.row(repeating: 7 as UInt8, row.width)
      unsafe kernels.pastWeights(
        samples.base, matte.base, past.base, noise, 191, out.base, row.width)
      for i in 0..<row.width {
        let difference = abs(Double(samples[i]) + 1 / 256 - Double(before[i]) / 256)
        let limit = Double(noise) / 256
        let isUsed = matte[i] == 255 && before[i] != 0
        let weight = isUsed ? 191 * min(max(2 - difference / limit, 0), 1) : 0
        #expect(abs(Double(out[i]) - weight) <= 1.5, "\(row)")
        let change = (Double(before[i]) / 256 - Double(samples[i])) * weight / 255
        let mean = Double(samples[i]) + change
        #expect(
          matte[i] == 255 ? abs(Double(past[i]) / 256 - mean) < 0.1 : past[i] == 0, "\(row)")
        if !isUsed { #expect(out[i] == 0) }
      }
      #expect(out.isBorderIntact && past.isBorderIntact && matte.isBorderIntact, "\(row)")
    }
  }
}
