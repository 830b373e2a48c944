import Processor
import PixelTypes
import Testing

/// The kernels under test, called like the engine calls them.
var kernels: any RowKernels.Type { TestedKernels.set.kernels }

/// The instruction set of the kernels under test.
enum TestedKernels {
  @TaskLocal static var set = InstructionSet.baseline
}

/// Runs each test of a suite once per instruction set that this processor supports.
///
/// All builds must match the same specification exactly, so they also match each other.
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
  /// Runs each test once per instruction set that this processor supports.
  static var everyInstructionSet: Self { Self() }
}

@Suite(.everyInstructionSet) struct EveryInstructionSetTests {
  /// Each build is a different type, so this test fails if only the baseline runs.
  @Test func theTestedKernelsBelongToTheSet() {
    #expect(ObjectIdentifier(kernels) == ObjectIdentifier(TestedKernels.set.kernels))
    let types = Set(InstructionSet.available.map { ObjectIdentifier($0.kernels) })
    #expect(types.count == InstructionSet.available.count)
  }
}
