import FuzzTargets
import Glibc
import TestSupport
import Testing

/// Runs the stored inputs: some with much coverage, and all earlier findings.
@Suite(.serialized) struct CorpusTests {
  /// Returns the folder with the inputs of a target.
  private func folder(_ target: FuzzTarget) -> String {
    let tests = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    return tests.joined(separator: "/") + "/Fixtures/fuzz/" + target.rawValue
  }

  private func contents(_ path: String) throws -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    try #require(file >= 0, "\(path) cannot be read")
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 17)
    let count = unsafe read(file, &bytes, bytes.count)
    try #require(0..<bytes.count ~= count, "\(path) is too large")
    return Array(bytes.prefix(count))
  }

  /// A trap ends the process.
  ///
  /// A violated invariant is reported with the name of the input.
  @Test(arguments: FuzzTarget.allCases)
  func keptInputs(target: FuzzTarget) throws {
    let names = TemporaryFolder.entries(of: folder(target)).sorted()
    #expect(names.count >= 8)
    for name in names {
      let bytes = try contents(folder(target) + "/" + name)
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
