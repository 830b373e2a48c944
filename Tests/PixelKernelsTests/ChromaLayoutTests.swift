import TestSupport
import Testing

@Suite(.everyInstructionSet) struct ChromaLayoutTests {
  @Test func interleavesTwoRows() {
    for row in RowCase.all {
      let (first, second) = (row.bytes(row.width, salt: 1), row.bytes(row.width, salt: 2))
      let out = row.row(repeating: UInt8(9), 2 * row.width)
      unsafe kernels.interleaveRows(first.base, second.base, out.base, row.width)
      var expected: [UInt8] = []
      for (a, b) in zip(first.samples, second.samples) { expected += [a, b] }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && first.isBorderIntact && second.isBorderIntact, "\(row)")
    }
  }

  @Test func separatesPairs() {
    for row in RowCase.all {
      let pairs = row.bytes(2 * row.width, salt: 1)
      let first = row.row(repeating: UInt8(9), row.width)
      let second = row.row(repeating: UInt8(8), row.width)
      unsafe kernels.deinterleaveRow(pairs.base, first.base, second.base, row.width)
      let samples = pairs.samples
      #expect(first.samples == (0..<row.width).map { samples[2 * $0] }, "\(row)")
      #expect(second.samples == (0..<row.width).map { samples[2 * $0 + 1] }, "\(row)")
      #expect(first.isBorderIntact && second.isBorderIntact && pairs.isBorderIntact, "\(row)")
    }
  }

  @Test func swapsTheSamplesOfEachPair() {
    for row in RowCase.all {
      let pairs = row.bytes(2 * row.width, salt: 1)
      let out = row.row(repeating: UInt8(9), 2 * row.width)
      unsafe kernels.swapPairs(pairs.base, out.base, row.width)
      let samples = pairs.samples
      #expect(out.samples == samples.indices.map { samples[$0 ^ 1] }, "\(row)")
      #expect(out.isBorderIntact && pairs.isBorderIntact, "\(row)")
    }
  }
}
