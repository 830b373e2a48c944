import TestSupport
import Testing

@Suite(.everyInstructionSet) struct SteadyTests {
  @Test(arguments: [(0, 0), (0.3, 2), (1, 0), (0.05, 20)] as [(Float, Float)])
  func movesByAShareThatGrowsWithTheDifference(base: Float, gain: Float) {
    for row in RowCase.all {
      let steady = row.floats(row.width, salt: 1)
      let new = row.floats(row.width, salt: 2)
      let old = steady.samples
      unsafe kernels.steady(steady.base, new.base, base, gain, row.width)
      #expect(
        steady.samples == zip(old, new.samples).map { moved($0, $1, base, gain) }, "\(row)")
      let exact = zip(old, new.samples).map {
        moved(Double($0), Double($1), Double(base), Double(gain))
      }
      #expect(isClose(steady.samples, to: exact, within: 1e-6), "\(row)")
      #expect(steady.isBorderIntact && new.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: [.nan, .infinity, -.infinity, .greatestFiniteMagnitude] as [Float])
  func aBrokenMatteIsForgotten(broken: Float) {
    let count = 37
    let steady = SampleRow<Float>(Array(repeating: 0.5, count: count), at: .pageEnd)
    let bad = SampleRow<Float>(Array(repeating: broken, count: count), at: .pageEnd)
    let good = SampleRow<Float>(Array(repeating: 0.75, count: count), at: .pageEnd)
    unsafe kernels.steady(steady.base, bad.base, 0.5, 2, count)
    for _ in 0..<20 { unsafe kernels.steady(steady.base, good.base, 0.5, 2, count) }
    #expect(isClose(steady.samples, to: Array(repeating: 0.75, count: count), within: 1e-4))
  }

  @Test func aResultBelowZeroBecomesZero() {
    let steady = SampleRow<Float>([0.25, 0.25], at: .pageEnd)
    let new = SampleRow<Float>([-1, .nan], at: .pageEnd)
    unsafe kernels.steady(steady.base, new.base, 1, 0, 2)
    #expect(steady.samples == [0, 0])
  }

  private func moved<Number: BinaryFloatingPoint>(
    _ old: Number, _ new: Number, _ base: Number, _ gain: Number
  ) -> Number {
    old + (new - old) * min(1, base + gain * abs(new - old))
  }
}
