/// Measures the latency to report if only some frames get their own inference.
///
/// An inference that takes longer than the frame interval delays its frame. The frames after it
/// need little work, so the element catches up. A sink that adds this latency shows all frames in
/// time. If every frame gets an inference, the element cannot catch up, and a latency does not
/// help.
struct InferenceLatency: Sendable {
  /// The latency in nanoseconds, or 0 if inferences do not delay frames.
  private(set) var nanoseconds: UInt64 = 0

  /// The factor from the measured to the reported latency, for the load of other programs.
  private static let margin = (numerator: UInt64(5), denominator: UInt64(4))
  /// The maximum latency, in nanoseconds.
  ///
  /// A camera's driver has few buffers, and would lose frames with more latency.
  private static let most: UInt64 = 150_000_000
  /// A slow frame is ignored unless another one was among this many frames with an inference.
  private static let memory = 16
  /// The work on the last slow frame in nanoseconds, and the number of later frames with an
  /// inference.
  private var slow: (work: UInt64, age: Int)?

  /// Records a frame with one inference.
  ///
  /// `work` is the processing time of the frame, and `frameInterval` the time from one frame to the
  /// next, both in nanoseconds.
  mutating func record(work: UInt64, frameInterval: UInt64) {
    if let age = slow?.age { slow?.age = age + 1 }
    guard work > frameInterval, work > nanoseconds else { return }
    defer { slow = (work, 0) }
    guard let slow, slow.age <= Self.memory else { return }
    let seen = min(work, slow.work, Self.most)
    nanoseconds = min(seen * Self.margin.numerator / Self.margin.denominator, Self.most)
  }
}
