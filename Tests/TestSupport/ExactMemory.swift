/// Memory of exactly the size of its samples, so that a sanitizer finds each access outside it.
///
/// Owns its memory. Not thread-safe.
@safe package final class ExactMemory<Sample: BitwiseCopyable> {
  /// The first sample, valid for the lifetime of this object.
  package let base: UnsafeMutablePointer<Sample>
  package let count: Int

  package init(_ samples: [Sample]) {
    count = samples.count
    unsafe base = .allocate(capacity: count)
    unsafe base.initialize(from: samples, count: count)
  }

  package init(_ count: Int, filledWith sample: Sample) {
    self.count = count
    unsafe base = .allocate(capacity: count)
    unsafe base.initialize(repeating: sample, count: count)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// The samples as they are now.
  package var samples: [Sample] {
    unsafe Array(UnsafeBufferPointer(start: base, count: count))
  }
}
