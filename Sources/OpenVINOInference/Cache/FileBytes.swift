import Glibc

/// Reads an open file.
enum FileBytes {
  /// The first `count` bytes, fewer when there are no more; nil, with `errno` set, when it fails.
  static func read(_ file: Int32, count: Int) -> [UInt8]? {
    var failed = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = unsafe read(file, into: UnsafeMutableRawBufferPointer(buffer)[..<count])
      failed = filled < 0
      filled = max(filled, 0)
    }
    return failed ? nil : bytes
  }

  /// Fills a part of memory from the beginning of a file and gives the number of bytes, -1, with
  /// `errno` set, when it fails.
  static func read(_ file: Int32, into part: Slice<UnsafeMutableRawBufferPointer>) -> Int {
    let memory = unsafe UnsafeMutableRawBufferPointer(rebasing: part)
    var filled = 0
    while filled < memory.count, let base = memory.baseAddress {
      let step = unsafe pread(file, base + filled, memory.count - filled, filled)
      if step < 0 && errno == EINTR { continue }
      if step < 0 { return -1 }
      if step == 0 { break }
      filled += step
    }
    return filled
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
