import Testing

@testable import Processor

@Suite struct InstructionSetTests {
  @Test func theBaselineIsAlwaysAvailable() {
    #expect(InstructionSet.available.first == .baseline)
  }

  @Test func withoutALimitTheWidestIsChosen() {
    #expect(InstructionSet.chosen(limit: nil) == InstructionSet.available.last)
  }

  @Test(arguments: InstructionSet.available)
  func theLimitApplies(set: InstructionSet) {
    #expect(InstructionSet.chosen(limit: set.rawValue) == set)
  }

  @Test func aLimitNeverWidens() {
    #expect(InstructionSet.chosen(limit: "avx512") == InstructionSet.available.last)
    #expect(InstructionSet.chosen(limit: "baseline") == .baseline)
  }

  @Test(arguments: ["", "sse9", "AVX2 "])
  func anUnknownNameLimitsNothing(name: String) {
    #expect(InstructionSet.chosen(limit: name) == InstructionSet.available.last)
  }
}
