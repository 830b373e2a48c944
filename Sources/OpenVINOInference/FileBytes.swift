import Glibc

/// Reads an open file.
enum FileBytes {
  /// The first `count` bytes, fewer when there are no more; nil, with `errno` set, when it fails.
  static func read(_ file: Int32, count: Int) -> [UInt8]? {
    var failed = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let base = buffer.baseAddress {
        let step = unsafe pread(file, base + filled, count - filled, filled)
        if step < 0 && errno == EINTR { continue }
        failed = step < 0
        if step <= 0 { break }
        filled += step
      }
    }
    return failed ? nil : bytes
  }

  /// The hash of all that is in a file; nil when it cannot be read.
  static func hash(_ path: String, seed: UInt64) -> UInt64? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // In parts that stay in the processor's cache.
    return unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { part in
      var hash = seed
      while true {
        let count = unsafe Glibc.read(file, part.baseAddress, part.count)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return nil }
        if count == 0 { return hash }
        hash = unsafe XXHash64.hash(UnsafeRawBufferPointer(rebasing: part[..<count]), seed: hash)
      }
    }
  }
}
