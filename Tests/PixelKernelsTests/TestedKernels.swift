import Processor
import PixelTypes
import Testing

/// The kernels that are tested, called as the core calls them.
var kernels: any RowKernels.Type { TestedKernels.set.kernels }

/// Which build of the kernels a test looks at.
enum TestedKernels {
  @TaskLocal static var set = InstructionSet.baseline
}

/// Runs each test of a suite once for every instruction set that this processor has.
///
/// All of them are held against the same specification, to the bit; so they agree with each other.
struct EveryInstructionSet: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    for set in InstructionSet.available {
      try await TestedKernels.$set.withValue(set) { try await function() }
    }
  }
}

extension Trait where Self == EveryInstructionSet {
  /// Runs each test once for every instruction set that this processor has.
  static var everyInstructionSet: Self { Self() }
}

@Suite(.everyInstructionSet) struct EveryInstructionSetTests {
  /// Each build is another type: were a test run with the baseline alone, this would fail.
  @Test func theTestedKernelsAreThoseOfTheSet() {
    #expect(ObjectIdentifier(kernels) == ObjectIdentifier(TestedKernels.set.kernels))
    let types = Set(InstructionSet.available.map { ObjectIdentifier($0.kernels) })
    #expect(types.count == InstructionSet.available.count)
  }
}
