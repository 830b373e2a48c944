import TestSupport
import Testing

@Suite(.everyInstructionSet) struct PairsTests {
  @Test func takesPairsApart() {
    for row in RowCase.all {
      let pairs = row.floats(2 * row.width, salt: 1, in: -5...300)
      let first = row.row(repeating: Float(-1), row.width)
      let second = row.row(repeating: Float(-1), row.width)
      unsafe kernels.splitPairs(pairs.base, first.base, second.base, row.width)
      #expect(first.samples == (0..<row.width).map { pairs.samples[2 * $0] }, "\(row)")
      #expect(second.samples == (0..<row.width).map { pairs.samples[2 * $0 + 1] }, "\(row)")
      #expect(first.isBorderIntact && second.isBorderIntact, "\(row)")
    }
  }

  @Test func averagesNeighboursForBothOfAPair() {
    for row in RowCase.all {
      let samples = row.bytes(2 * row.width, salt: 1)
      let out = row.row(repeating: UInt8(9), 2 * row.width)
      unsafe kernels.averagePairs(samples.base, out.base, row.width)
      let expected = (0..<2 * row.width).map { i in
        UInt8((Int(samples.samples[i / 2 * 2]) + Int(samples.samples[i / 2 * 2 + 1]) + 1) / 2)
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && samples.isBorderIntact, "\(row)")
    }
  }
}
