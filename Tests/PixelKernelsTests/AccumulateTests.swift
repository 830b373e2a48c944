import TestSupport
import Testing

@Suite(.everyInstructionSet) struct AccumulateTests {
  @Test(arguments: [0, 1, -0.3, 1 / 3] as [Float])
  func addsWeighedFloats(weight: Float) {
    for row in RowCase.all {
      let samples = row.floats(row.width, salt: 1, in: -1...255)
      let sums = row.floats(row.width, salt: 2, in: -3...700)
      let old = sums.samples
      unsafe kernels.accumulate(sums.base, samples.base, weight, row.width)
      #expect(sums.samples == zip(old, samples.samples).map { $0 + weight * $1 }, "\(row)")
      let exact = zip(old, samples.samples).map { Double($0) + Double(weight) * Double($1) }
      #expect(isClose(sums.samples, to: exact, within: 1e-4), "\(row)")
      #expect(sums.isBorderIntact && samples.isBorderIntact, "\(row)")
    }
  }
}
