import TestSupport
import Testing

@Suite(.everyInstructionSet) struct SumWeightedRowsTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6, 8, 11, 12])
  func sumsTheTapsInOrder(taps: Int) {
    for row in RowCase.some { check(row, taps: taps, padding: taps % 3) }
  }

  @Test(arguments: [1, 2, 4, 12])
  func worksAtEveryWidth(taps: Int) {
    for row in RowCase.all { check(row, taps: taps, padding: 1) }
  }

  private func check(_ row: RowCase, taps: Int, padding: Int) {
    let stride = row.width + padding
    // The buffer ends with the last sample of the last row, without padding.
    let bytes = row.bytes((taps - 1) * stride + row.width, salt: 1)
    let weights = row.floats(taps, salt: 2, in: -0.3...1)
    let sums = row.row(repeating: Float(-7), row.width)
    unsafe kernels.sumWeightedRows(
      bytes.base, stride, weights.base, taps, sums.base, row.width)
    let (samples, factors) = (bytes.samples, weights.samples)
    let ordered = (0..<row.width).map { i in
      (1..<taps).reduce(factors[0] * Float(samples[i])) { sum, t in
        sum + factors[t] * Float(samples[t * stride + i])
      }
    }
    #expect(sums.samples == ordered, "\(row)")
    let exact = (0..<row.width).map { i in
      (0..<taps).reduce(0.0) { $0 + Double(factors[$1]) * Double(samples[$1 * stride + i]) }
    }
    #expect(isClose(sums.samples, to: exact, within: 1e-3), "\(row)")
    #expect(sums.isBorderIntact && bytes.isBorderIntact, "\(row)")
  }
}
