import TestSupport
import Testing

@Suite(.everyInstructionSet) struct SteadyTests {
  @Test(arguments: [(0.25, 0.5), (1, 0), (0.08, 0.5), (0.5, 0)] as [(Float, Float)])
  func movesByAShareThatGrowsWithDisagreementAndMotion(minShare: Float, uncertaintyDamping: Float) {
    for row in RowCase.all {
      let steady = row.floats(row.width, salt: 1, in: 0...255)
      let matte = row.bytes(row.width, salt: 2)
      let motion = row.bytes(row.width, salt: 3)
      let exact = zip(steady.samples, zip(matte.samples, motion.samples)).map { old, pair in
        moved(
          Double(old), Double(pair.0), Double(pair.1) / 255, Double(minShare),
          Double(uncertaintyDamping))
      }
      unsafe kernels.smooth(
        steady.base, matte.base, motion.base, minShare, uncertaintyDamping, row.width)
      #expect(isClose(steady.samples, to: exact, within: 1e-3), "\(row)")
      #expect(
        zip(matte.samples, steady.samples).allSatisfy { abs(Float($0) - $1) <= 0.5 }, "\(row)")
      #expect(
        steady.isBorderIntact && matte.isBorderIntact && motion.isBorderIntact, "\(row)")
    }
  }

  private func moved(
    _ old: Double, _ new: Double, _ motion: Double, _ minShare: Double, _ uncertaintyDamping: Double
  ) -> Double {
    let difference = new - old
    let share = minShare + (1 - minShare) * max(abs(difference) / 255, motion)
    let doubt = 4 * (new / 255) * (1 - new / 255) * (1 - motion)
    return old + difference * share * (1 - uncertaintyDamping * doubt)
  }
}
