import Glibc

/// Samples that end directly before a page that must not be accessed.
///
/// Access to a single byte past the end ends the process, so a test that returns made no such
/// access.
///
/// Owns its memory. Not thread-safe.
@safe public final class PageEndBuffer<Sample: BitwiseCopyable> {
  /// The first sample, aligned to one sample, valid for the lifetime of the buffer.
  public let base: UnsafeMutablePointer<Sample>
  /// Number of samples.
  public let count: Int
  private let mapping: UnsafeMutableRawPointer
  private let mappedBytes: Int

  /// Maps `count` samples, all bytes 0, and the forbidden page after them.
  public init(count: Int) {
    let page = sysconf(Int32(_SC_PAGESIZE))
    let byteCount = count * MemoryLayout<Sample>.stride
    let usableBytes = (byteCount + page - 1) / page * page
    mappedBytes = usableBytes + page
    let address = unsafe mmap(
      nil, mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED,
      unsafe mprotect(address + usableBytes, page, PROT_NONE) == 0
    else { preconditionFailure("no memory for a guarded buffer, errno \(errno)") }
    unsafe mapping = address
    unsafe base = (address + usableBytes - byteCount).bindMemory(to: Sample.self, capacity: count)
    self.count = count
  }

  deinit {
    unsafe munmap(mapping, mappedBytes)
  }
}
