/// How late frames may go out where only some have an inference of their own.
///
/// An inference that takes longer than a frame lasts holds up its frame; those after it are cheap and
/// catch up. A sink that waits for so long shows all of them in time. Where every frame has an
/// inference nothing could catch up, and no latency would help.
struct InferenceLatency: Sendable {
  /// Nanoseconds; 0 where frames go out as they come.
  private(set) var nanoseconds: UInt64 = 0

  /// More than has been seen, for the load of other programs.
  private static let margin = (numerator: UInt64(5), denominator: UInt64(4))
  /// A camera's driver has few buffers: frames that are held up for longer would be lost there.
  private static let most: UInt64 = 150_000_000
  /// One slow frame among so many with an inference is an accident.
  private static let memory = 16
  /// The work on the last slow frame, and the frames with an inference since.
  private var slow: (work: UInt64, age: Int)?

  /// Takes in a frame with one inference, which took so many nanoseconds, as `frameInterval` is the time
  /// from one frame to the next.
  mutating func note(work: UInt64, frameInterval: UInt64) {
    if let age = slow?.age { slow?.age = age + 1 }
    guard work > frameInterval, work > nanoseconds else { return }
    defer { slow = (work, 0) }
    guard let slow, slow.age <= Self.memory else { return }
    let seen = min(work, slow.work, Self.most)
    nanoseconds = min(seen * Self.margin.numerator / Self.margin.denominator, Self.most)
  }
}
