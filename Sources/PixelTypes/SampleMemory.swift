import Glibc

/// Memory for samples, aligned to 64 bytes at least.
///
/// Large blocks are mapped from the system, and returned to it as soon as they are freed. malloc
/// would take them from the calling thread's arena, which keeps freed memory. With short-lived
/// threads, such as loaders and decoders, each arena would keep the peak usage of its threads.
enum SampleMemory {
  /// The minimum size of a mapped block in bytes.
  ///
  /// Smaller blocks would waste much of their last page.
  static let smallestMapping = 1 << 18

  /// Allocates a block, or returns nil if there is not enough memory.
  static func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
    if byteCount < smallestMapping {
      var memory: UnsafeMutableRawPointer?
      return unsafe posix_memalign(&memory, 64, byteCount) == 0 ? memory : nil
    }
    let memory = unsafe mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    return unsafe memory == MAP_FAILED ? nil : memory
  }

  /// Frees a block.
  ///
  /// Safety: `memory` must come from `allocate(byteCount:)` with the same size. It must not be used
  /// after that.
  static func deallocate(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    if byteCount < smallestMapping {
      unsafe free(memory)
    } else {
      unsafe munmap(memory, byteCount)
    }
  }
}

/// An allocation failed.
public struct OutOfMemory: Error, Equatable, CustomStringConvertible {
  /// The requested size in bytes.
  public let byteCount: Int

  /// Creates the error for an allocation of `byteCount` bytes.
  public init(byteCount: Int) { self.byteCount = byteCount }

  /// A sentence with the requested size in megabytes.
  public var description: String {
    "\(byteCount / 1_000_000 + 1) MB of memory could not be allocated"
  }
}
