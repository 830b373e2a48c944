import PixelTypes
import TestSupport
import Testing

@Suite(.everyInstructionSet) struct RefineRowTests {
  @Test(arguments: [(1.0 / 900, 1.5), (1.0 / 200_000, 1), (0, 1.5)] as [(Float, Float)])
  func takesTheMeanOfNeighboursOfTheSameColour(reach: Float, contrast: Float) {
    for row in RowCase.all {
      let (count, stride) = (row.width, row.width + 4)
      // Five rows of alpha, luma, Cb and Cr, in a shuffled order.
      let planes = (0..<4).map { row.bytes(5 * stride, salt: UInt64($0 + 1)) }
      let rows = [3, 4, 0, 1, 2].map { $0 * stride }
      let spatial = (0..<25).map { Float($0 % 7 + 1) / 8 }
      let (sums, weights) = (row.floats(count, salt: 5), row.floats(count, salt: 6))
      let out = row.row(repeating: UInt8(7), count)
      unsafe kernels.refineRow(
        MattePlanes(
          alpha: planes[0].base + 2, luma: planes[1].base + 2, cb: planes[2].base + 2,
          cr: planes[3].base + 2), rows, spatial, reach, contrast, sums.base, weights.base,
        out.base, count)
      let samples = planes.map(\.samples)
      for i in 0..<count {
        var (sum, total) = (0.0, 0.0)
        for r in 0..<5 {
          for c in 0..<5 {
            let (own, other) = (rows[2] + 2 + i, rows[r] + i + c)
            func distance(_ plane: Int) -> Double {
              let difference = Double(samples[plane][own]) - Double(samples[plane][other])
              return difference * difference
            }
            let near = max(0, 1 - Double(reach) * (distance(1) + 3 * (distance(2) + distance(3))))
            sum += Double(spatial[5 * r + c]) * near * near * Double(samples[0][other])
            total += Double(spatial[5 * r + c]) * near * near
          }
        }
        let exact = min(max((sum / total - 127.5) * Double(contrast) + 127.5, 0), 255)
        #expect(abs(Double(out[i]) - exact) <= 0.51, "\(row), \(i)")
      }
      #expect(
        planes.allSatisfy(\.isBorderIntact) && sums.isBorderIntact && weights.isBorderIntact
          && out.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: [1, 1.3, 4] as [Float]) func contrastKeepsTheMiddle(contrast: Float) {
    for row in RowCase.all {
      let bytes = row.bytes(row.width, salt: 1)
      let old = bytes.samples
      unsafe kernels.contrastRow(bytes.base, contrast, row.width)
      let exact = old.map { min(max((Double($0) - 127.5) * Double(contrast) + 127.5, 0), 255) }
      #expect(
        zip(bytes.samples, exact).allSatisfy { abs(Double($0) - $1) <= 0.501 }, "\(row)")
      #expect(bytes.isBorderIntact, "\(row)")
    }
  }
}
