/// Bytes that must not leave the element.
///
/// Every run of eight of them is recognised.
struct Secrets: Sendable {
  private static let length = 8
  private var runs: Set<UInt64> = []

  /// Adds the runs of adjacent bytes.
  mutating func insert(_ bytes: some Sequence<UInt8>) {
    var (run, count) = (UInt64(0), 0)
    for byte in bytes {
      run = run << 8 | UInt64(byte)
      count += 1
      if count >= Self.length { runs.insert(run) }
    }
  }

  /// Adds all of `others`.
  mutating func formUnion(_ others: Secrets) {
    runs.formUnion(others.runs)
  }

  /// Whether `bytes` contain a known run.
  func areSeen(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var (run, count) = (UInt64(0), 0)
    for index in bytes.indices {
      run = unsafe run << 8 | UInt64(bytes[index])
      count += 1
      if count >= Self.length, runs.contains(run) { return true }
    }
    return false
  }
}
