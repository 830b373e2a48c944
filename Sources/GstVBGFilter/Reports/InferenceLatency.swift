/// The latency to report if only some frames get their own inference.
///
/// An inference that takes longer than a frame delays its frame. The frames after it are cheap and
/// catch up. A sink that waits for this latency shows all of them in time. If every frame gets an
/// inference, the frames cannot catch up, and a latency would not help.
struct InferenceLatency: Sendable {
  /// Nanoseconds, or 0 if frames go out as they come.
  private(set) var nanoseconds: UInt64 = 0

  /// The safety margin over the measured latency, for the load of other programs.
  private static let margin = (numerator: UInt64(5), denominator: UInt64(4))
  /// The maximum in nanoseconds: a camera's driver has few buffers, and would lose frames after
  /// that.
  private static let most: UInt64 = 150_000_000
  /// A single slow frame among this many with an inference is ignored.
  private static let memory = 16
  /// The work on the last slow frame, and the frames with an inference since.
  private var slow: (work: UInt64, age: Int)?

  /// Records a frame with one inference.
  ///
  /// `work` is its duration and `frameInterval` the time from one frame to the next, both in
  /// nanoseconds.
  mutating func record(work: UInt64, frameInterval: UInt64) {
    if let age = slow?.age { slow?.age = age + 1 }
    guard work > frameInterval, work > nanoseconds else { return }
    defer { slow = (work, 0) }
    guard let slow, slow.age <= Self.memory else { return }
    let seen = min(work, slow.work, Self.most)
    nanoseconds = min(seen * Self.margin.numerator / Self.margin.denominator, Self.most)
  }
}
