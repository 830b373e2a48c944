import Glibc

/// Checks whether memory is available before a library allocates it.
///
/// A failed allocation in GLib, GStreamer or Swift ends the process, so it must not be attempted.
/// The result is an estimate: another thread may allocate the memory after the check.
package enum SpareMemory {
  /// The memory in bytes that must stay free for small allocations: threads, tables, messages.
  static let margin = 64 << 20

  /// Returns whether `byteCount` bytes plus `margin` could be allocated now.
  ///
  /// The memory is not allocated.
  package static func isThere(for byteCount: Int) -> Bool {
    let (size, overflows) = byteCount.addingReportingOverflow(margin)
    guard !overflows, size > 0 else { return false }
    // The mapping is never written to, so it uses no physical memory. malloc might keep the memory.
    let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return false }
    unsafe munmap(memory, size)
    return true
  }
}
