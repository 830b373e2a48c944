import Glibc

/// Checks for memory before a library allocates it and would end the process without it.
///
/// GLib, and so GStreamer's decoders, end the process when an allocation fails, and Swift does so
/// for its objects. Other threads may take the memory in between, so the result is an estimate.
package enum SpareMemory {
  /// The memory left for everything small, in bytes: threads, tables, messages.
  static let margin = 64 << 20

  /// Whether `byteCount` bytes plus the margin could be allocated now, without allocating them.
  package static func isThere(for byteCount: Int) -> Bool {
    let (size, overflows) = byteCount.addingReportingOverflow(margin)
    guard !overflows, size > 0 else { return false }
    // Nothing is written to it. malloc is not used because it would keep the memory.
    let memory = unsafe mmap(
      nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return false }
    unsafe munmap(memory, size)
    return true
  }
}
