import Glibc
import Processor
import TestSupport
import Testing

/// Every output frame of scripted sequences, compared with `Tests/Fixtures/golden.txt`.
///
/// A change that is meant to keep the output changes no hash. `meson-helper/golden` writes the file
/// again after a change that is meant to change it.
@Suite struct GoldenTests {
  /// A file cannot be opened.
  private struct NoFile: Error { let path: String }

  @Test("gives the same frames as before", arguments: GoldenSequence.allCases)
  func givesTheSameFramesAsBefore(sequence: GoldenSequence) throws {
    let hashes = sequence.run(.current)
    if let folder = unsafe getenv("VBGFILTER_GOLDEN") {
      try write(hashes, of: sequence, in: unsafe String(cString: folder))
      return
    }
    let expected = try #require(Self.read()[sequence.rawValue], "no such line in golden.txt")
    let first = zip(hashes, expected).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(first == nil, "the first frame that differs")
    #expect(hashes.count == expected.count)
  }

  @Test("gives the same frames on each processor")
  func givesTheSameFramesOnEachProcessor() {
    for sequence in [GoldenSequence.fast, .newcomer, .formats] {
      let hashes = sequence.run(.baseline)
      for set in InstructionSet.available.dropFirst() {
        #expect(sequence.run(set) == hashes, "\(sequence), \(set)")
      }
    }
  }

  /// The hashes of each sequence: a line has its name, the number of a frame and the hash.
  private static func read() throws -> [String: [String]] {
    let text = String(decoding: TestFile.bytes(TestFile.fixture("golden.txt")), as: UTF8.self)
    var hashes: [String: [String]] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      hashes[words[0], default: []].append(words[2])
    }
    return hashes
  }

  private func write(_ hashes: [String], of sequence: GoldenSequence, in folder: String) throws {
    let path = "\(folder)/\(sequence)"
    guard let file = unsafe fopen(path, "w") else { throw NoFile(path: path) }
    for (number, hash) in hashes.enumerated() {
      unsafe fputs("\(sequence) \(number) \(hash)\n", file)
    }
    unsafe fclose(file)
  }
}
