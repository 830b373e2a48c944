import TestSupport
import Testing

@Suite(.everyInstructionSet) struct FilterColumnsTests {
  @Test(arguments: [1, 2, 3, 4, 5, 8, 12])
  func sumsTheTapsInOrder(taps: Int) {
    for row in RowCase.some { check(row, taps: taps) }
  }

  @Test(arguments: [4, 5])
  func worksAtEveryWidth(taps: Int) {
    for row in RowCase.all { check(row, taps: taps) }
  }

  private func check(_ row: RowCase, taps: Int) {
    let (samples, starts) = source(row, taps: taps, step: 1)
    let weights = row.floats(taps * row.width, salt: 2, in: -0.25...1)
    let out = row.row(repeating: Float(-7), row.width)
    unsafe kernels.filterColumns(
      samples.base, starts.base, weights.base, taps, out.base, row.width)
    let ordered = filtered(samples.samples, 1, starts.samples, weights.samples, taps)
    #expect(out.samples == ordered, "\(row)")
    let exact = filtered(
      samples.samples.map(Double.init), 1, starts.samples, weights.samples.map(Double.init), taps
    )
    #expect(isClose(out.samples, to: exact, within: 1e-3), "\(row)")
    #expect(out.isBorderIntact && samples.isBorderIntact, "\(row)")
  }

  /// Returns a row with `step` samples per column, and random positions in it.
  ///
  /// One position is at the end of the row.
  private func source(
    _ row: RowCase, taps: Int, step: Int
  ) -> (samples: SampleRow<Float>, starts: SampleRow<Int32>) {
    let columns = row.width + taps + 3
    var generator = SeededGenerator(seed: 7)
    let last = Int32(columns - taps)
    var starts = (0..<row.width).map { _ in Int32.random(in: 0...last, using: &generator) }
    if row.width > 0 { starts[row.width / 2] = last }
    return (row.floats(columns * step, salt: 1, in: 0...255), row.row(starts))
  }

  @Test(arguments: 1...9)
  func sumsTheTapsOfPairsInOrder(taps: Int) {
    for row in RowCase.some { checkPairs(row, taps: taps) }
  }

  @Test(arguments: 2...3)
  func worksForPairsAtEveryWidth(taps: Int) {
    for row in RowCase.all { checkPairs(row, taps: taps) }
  }

  private func checkPairs(_ row: RowCase, taps: Int) {
    let (samples, starts) = source(row, taps: taps, step: 2)
    let weights = row.floats(taps * row.width, salt: 2, in: -0.25...1)
    let first = row.row(repeating: Float(-7), row.width)
    let second = row.row(repeating: Float(-7), row.width)
    unsafe kernels.filterColumnPairs(
      samples.base, starts.base, weights.base, taps, first.base, second.base, row.width)
    for (component, out) in [first, second].enumerated() {
      let part = Array(samples.samples[component...])
      #expect(out.samples == filtered(part, 2, starts.samples, weights.samples, taps), "\(row)")
      #expect(out.isBorderIntact, "\(row)")
    }
    #expect(samples.isBorderIntact, "\(row)")
  }

  private func filtered<Number: BinaryFloatingPoint>(
    _ row: [Number], _ step: Int, _ starts: [Int32], _ weights: [Number], _ taps: Int
  ) -> [Number] {
    starts.enumerated().map { i, start in
      (0..<taps).reduce(0) { sum, t in
        sum + weights[i * taps + t] * row[(Int(start) + t) * step]
      }
    }
  }
}
