import TestSupport
import Testing

@Suite(.everyInstructionSet) struct PairsTests {
  @Test func averagesNeighboursForBothOfAPair() {
    for row in RowCase.all {
      let samples = row.bytes(2 * row.width, salt: 1)
      let out = row.row(repeating: UInt8(9), 2 * row.width)
      unsafe kernels.averagePairs(samples.base, out.base, row.width)
      let expected = (0..<2 * row.width).map { i in
        let pair = (Int(samples[i / 2 * 2]), Int(samples[i / 2 * 2 + 1]))
        return UInt8((pair.0 + pair.1 + 1) / 2)
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && samples.isBorderIntact, "\(row)")
    }
  }
}
