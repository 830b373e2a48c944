/// Memory of exactly the size of its samples, so that a sanitizer finds each access outside it.
///
/// Owns its memory. Not thread-safe.
@safe final class ExactMemory<Sample: BitwiseCopyable> {
  /// The first sample, valid for the lifetime of this object.
  let base: UnsafeMutablePointer<Sample>
  let count: Int

  init(_ samples: [Sample]) {
    count = samples.count
    unsafe base = .allocate(capacity: count)
    unsafe base.initialize(from: samples, count: count)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// The samples as they are now.
  var samples: [Sample] {
    unsafe Array(UnsafeBufferPointer(start: base, count: count))
  }
}
