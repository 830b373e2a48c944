#if canImport(Glibc)
  import Glibc
#endif

/// Files that tests read.
package enum TestFile {
  /// The folder of the sources.
  package static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

  package static func fixture(_ path: String) -> String { "\(root)/Tests/Fixtures/\(path)" }

  /// Returns all bytes of a file, or an empty array if it cannot be read.
  package static func bytes(_ path: String) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var (bytes, chunk): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 1 << 16))
    while true {
      let count = unsafe read(file, &chunk, chunk.count)
      if count <= 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Returns the number that follows `name` and a colon in a file of `/proc`.
  package static func number(_ name: String, in path: String = "/proc/self/status") -> Int? {
    let lines = String(decoding: bytes(path), as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix("\(name):") }.flatMap { Int($0.filter(\.isNumber)) }
  }
}
