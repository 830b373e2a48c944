import Glibc

/// Whether there is memory, asked before a library allocates it that ends the process without it.
///
/// GLib, and so GStreamer's decoders, end the process when an allocation fails, and Swift does so for
/// its objects. Other threads may take the memory in between: the answer is a good guess.
package enum SpareMemory {
  /// What is left to all that is small, in bytes: threads, tables, messages.
  static let margin = 64 << 20

  /// Whether so many bytes could be had at the moment, and some more; takes none.
  package static func isThere(for byteCount: Int) -> Bool {
    let (size, overflows) = byteCount.addingReportingOverflow(margin)
    guard !overflows, size > 0 else { return false }
    // Nothing is written to it, and malloc is not asked: it would keep what it gets.
    let memory = unsafe mmap(
      nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return false }
    unsafe munmap(memory, size)
    return true
  }
}
