import PixelTypes
import TestSupport
import Testing

@Suite(.everyInstructionSet) struct LowLightTests {
  private static let curves = [0.02, 0.3, 1].flatMap { amount in
    [Colorimetry.Range.limited, .full].compactMap {
      BrightnessCurve(amount: amount, Colorimetry(matrix: .bt709, range: $0))
    }
  }

  private func steps(_ luma: UInt8, _ curve: BrightnessCurve) -> [Int] {
    let bounded = min(max(luma, curve.black), curve.white) - curve.black
    var w = [Int(curve.start) - Int(curve.slope) * Int(bounded)]
    for _ in 0..<3 { w.append((w[w.count - 1] * w[w.count - 1]) >> 16 + Int(curve.step)) }
    return w
  }

  @Test("brightens luma as specified, and may work in place", arguments: curves)
  func brightenRow(curve: BrightnessCurve) {
    for row in RowCase.all {
      let samples = row.bytes(row.width, salt: 1)
      let out = row.row(repeating: 7 as UInt8, row.width)
      unsafe kernels.brightenRow(samples.base, curve, out.base, row.width)
      let expected = samples.samples.map { luma in
        let rest = max(steps(luma, curve)[3] - Int(curve.end), 0)
        return UInt8(Int(curve.white) - (rest * Int(curve.scale)) >> 16)
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && samples.isBorderIntact, "\(row)")
      unsafe kernels.brightenRow(samples.base, curve, samples.base, row.width)
      #expect(samples.samples == expected, "\(row)")
    }
  }

  @Test("follows the curve, rises, and keeps black and white", arguments: curves)
  func curve(curve: BrightnessCurve) {
    let codes = SampleRow<UInt8>(Array(0...255), at: .pageEnd)
    unsafe kernels.brightenRow(codes.base, curve, codes.base, 256)
    let (black, span) = (Double(curve.black), Double(curve.white - curve.black))
    let a = Double(curve.slope) * span / 65535
    for code in curve.black...curve.white {
      var x = (Double(code) - black) / span
      for _ in 0..<3 { x += a * x * (1 - x) }
      #expect(abs(Double(codes[Int(code)]) - (black + span * x)) < 1.2)
    }
    #expect(codes.samples == codes.samples.sorted())
    #expect(codes[Int(curve.black)] == curve.black && codes[Int(curve.white)] == curve.white)
  }

  @Test("makes no curve that would change nothing")
  func noCurve() {
    let colorimetry = Colorimetry(matrix: .bt709, range: .limited)
    #expect(BrightnessCurve(amount: 0, colorimetry) == nil)
    #expect(BrightnessCurve(amount: .nan, colorimetry) == nil)
    #expect(BrightnessCurve(amount: 2, colorimetry) == BrightnessCurve(amount: 1, colorimetry))
  }

  @Test("brightens chroma as specified", arguments: curves)
  func brightenPairs(curve: BrightnessCurve) {
    for row in RowCase.all {
      // The last luma sample of an odd width belongs to a pair alone.
      let count = (row.width + 1) / 2
      let lumaCount = max(2 * count - 1, 0)
      let (top, bottom) = (row.bytes(lumaCount, salt: 1), row.bytes(lumaCount, salt: 2))
      let chroma = row.bytes(2 * count, salt: 3)
      let out = row.row(repeating: 7 as UInt8, 2 * count)
      unsafe kernels.brightenPairs(chroma.base, top.base, bottom.base, curve, out.base, count)
      let expected = (0..<2 * count).map { i in
        let luma = (Int(top[i / 2 * 2]) + Int(bottom[i / 2 * 2]) + 1) / 2
        let w = steps(UInt8(luma), curve)
        let offset = Int(curve.chromaOffset)
        let first = ((w[0] >> 1 + offset) * (w[1] >> 1 + offset)) >> 16
        let factor = (first * (w[2] >> 2 + offset >> 1)) >> 16
        let eighths = ((Int(chroma[i]) - 128) * 128 * factor) >> 16
        return UInt8(min(max((eighths + 4) >> 3 + 128, 0), 255))
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && chroma.isBorderIntact && top.isBorderIntact, "\(row)")
    }
  }

  @Test("keeps the saturation of colours")
  func saturation() throws {
    let curve = try #require(
      BrightnessCurve(amount: 0.8, Colorimetry(matrix: .bt709, range: .full)))
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
