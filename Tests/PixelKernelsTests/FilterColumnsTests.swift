import TestSupport
import Testing

@Suite(.everyInstructionSet) struct FilterColumnsTests {
  @Test(arguments: 1...9, 1...3)
  func sumsTheTapsInOrder(taps: Int, step: Int) {
    for row in RowCase.some { check(row, taps: taps, step: step) }
  }

  @Test(arguments: 1...2)
  func worksAtEveryWidth(step: Int) {
    for row in RowCase.all { check(row, taps: 5, step: step) }
  }

  private func check(_ row: RowCase, taps: Int, step: Int) {
    let columns = row.width + taps + 3
    // Ends with the first component of the last column: the others are somebody else's.
    let samples = row.floats((columns - 1) * step + 1, salt: 1, in: 0...255)
    var generator = SeededGenerator(seed: 7)
    let last = Int32(columns - taps)
    let starts = row.row((0..<row.width).map { _ in Int32.random(in: 0...last, using: &generator) })
    let weights = row.floats(taps * row.width, salt: 2, in: -0.25...1)
    let out = row.row(repeating: Float(-7), row.width)
    unsafe kernels.filterColumns(
      samples.base, step, starts.base, weights.base, taps, out.base, row.width)

    let ordered = filtered(samples.samples, step, starts.samples, weights.samples, taps)
    #expect(out.samples == ordered, "\(row)")
    let exact = filtered(
      samples.samples.map(Double.init), step, starts.samples, weights.samples.map(Double.init), taps
    )
    #expect(isClose(out.samples, to: exact, within: 1e-3), "\(row)")
    #expect(out.isBorderIntact, "\(row)")
  }

  private func filtered<Number: BinaryFloatingPoint>(
    _ row: [Number], _ step: Int, _ starts: [Int32], _ weights: [Number], _ taps: Int
  ) -> [Number] {
    starts.enumerated().map { i, start in
      (0..<taps).reduce(0) { sum, t in
        sum + weights[t * starts.count + i] * row[(Int(start) + t) * step]
      }
    }
  }
}
