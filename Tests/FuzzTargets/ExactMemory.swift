/// Memory for so many samples and not one more, so that a sanitizer sees who reads or writes beyond.
///
/// Owns its memory; used on one thread at a time.
@safe final class ExactMemory<Sample: BitwiseCopyable> {
  /// The first sample; valid for as long as this lives.
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
