import FuzzTargets
import TestSupport
import Testing

/// Runs the stored inputs: some with much coverage, and all earlier findings.
@Suite(.serialized) struct CorpusTests {
  /// Returns the folder with the inputs of a target.
  private func folder(_ target: FuzzTarget) -> String {
    TestFile.fixture("fuzz/\(target.rawValue)")
  }

  /// A trap ends the process.
  ///
  /// A violated invariant is reported with the name of the input.
  @Test(arguments: FuzzTarget.allCases)
  func keptInputs(target: FuzzTarget) {
    let names = TemporaryFolder.entries(of: folder(target)).sorted()
    #expect(names.count >= 8)
    for name in names {
      let bytes = TestFile.bytes(folder(target) + "/" + name)
      #expect(throws: Never.self, "\(target.rawValue)/\(name)") { try target.run(bytes) }
    }
  }

  /// Targets must accept an empty input and any short one.
  @Test(arguments: FuzzTarget.allCases)
  func shortInputs(target: FuzzTarget) {
    var generator = SeededGenerator(seed: 3)
    for count in 0...40 {
      #expect(throws: Never.self) { try target.run(generator.bytes(count)) }
    }
  }
}
