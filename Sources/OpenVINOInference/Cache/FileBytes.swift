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
}
