#if canImport(Glibc)
  import Glibc
#endif

/// Memory for samples, aligned to 64 bytes at least.
///
/// Large blocks are mapped from the system and go back to it at once. malloc would take them from the
/// arena of the thread that asks, and an arena that has grown keeps what was freed: where threads come
/// and go, as loaders and decoders do, each arena holds as much as its busiest thread ever had.
enum SampleMemory {
  /// From so many bytes on a block is mapped; to those below, the rest of their last page counts.
  static let smallestMapping = 1 << 18

  /// A block of so many bytes; nil when there is not enough memory.
  static func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
    if byteCount < smallestMapping {
      var memory: UnsafeMutableRawPointer?
      return unsafe posix_memalign(&memory, 64, byteCount) == 0 ? memory : nil
    }
    let memory = unsafe mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    return unsafe memory == MAP_FAILED ? nil : memory
  }

  /// Gives a block back.
  ///
  /// Safety: `memory` comes from `allocate(byteCount:)` with the same size, and is no longer used.
  static func deallocate(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    if byteCount < smallestMapping {
      unsafe free(memory)
    } else {
      unsafe munmap(memory, byteCount)
    }
  }
}

/// There is no memory for what was to be allocated.
public struct OutOfMemory: Error, Equatable, CustomStringConvertible {
  /// How many bytes were asked for.
  public let byteCount: Int

  /// Makes the error for an allocation of so many bytes.
  public init(byteCount: Int) {
    self.byteCount = byteCount
  }

  /// How many megabytes were asked for.
  public var description: String { "there is no memory for \(byteCount / 1_000_000 + 1) MB" }
}
