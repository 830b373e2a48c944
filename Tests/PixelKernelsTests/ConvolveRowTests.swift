import TestSupport
import Testing

@Suite(.everyInstructionSet) struct ConvolveRowTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6, 9, 14], 1...3)
  func sumsTheTapsInOrder(tapCount: Int, step: Int) {
    for row in RowCase.some { check(row, tapCount: tapCount, step: step) }
  }

  @Test(arguments: 1...2)
  func worksAtEveryWidth(step: Int) {
    for row in RowCase.all { check(row, tapCount: 7, step: step) }
  }

  /// Convolves along a column of contiguous rows.
  @Test(arguments: [1, 2, 4, 7, 9])
  func stepsOverWholeRows(tapCount: Int) {
    for row in RowCase.some { check(row, tapCount: tapCount, step: max(row.width, 1)) }
  }

  private func check(_ row: RowCase, tapCount: Int, step: Int) {
    let margin = (tapCount - 1) * step
    let samples = row.floats(row.width + 2 * margin, salt: 1, in: 0...255)
    let taps = row.floats(tapCount, salt: 2, in: -0.1...0.5)
    let out = row.row(repeating: Float(-7), row.width)
    unsafe kernels.convolveRow(
      samples.base + margin, step, taps.base, tapCount, out.base, row.width)
    #expect(out.samples == convolved(samples.samples, step, taps.samples), "\(row)")
    let exact = convolved(
      samples.samples.map(Double.init), step, taps.samples.map(Double.init))
    #expect(isClose(out.samples, to: exact, within: 2e-3), "\(row)")
    #expect(out.isBorderIntact && samples.isBorderIntact, "\(row)")
  }

  private func convolved<Number: BinaryFloatingPoint>(
    _ row: [Number], _ step: Int, _ taps: [Number]
  ) -> [Number] {
    let margin = (taps.count - 1) * step
    return (margin..<row.count - margin).map { centre in
      var sum = taps[0] * row[centre]
      for t in 1..<taps.count {
        let pair = row[centre - t * step] + row[centre + t * step]
        sum = sum + taps[t] * pair
      }
      return sum
    }
  }
}
