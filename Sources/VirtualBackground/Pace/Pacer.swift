/// Decides which frames get an inference, by the times of the frames.
public struct Pacer: Sendable {
  private var nextDue: UInt64?
  private var lastTime: UInt64?

  /// Creates a pacer for which the first frame gets an inference.
  public init() {}

  /// Restarts, so that the next frame gets an inference.
  public mutating func reset() {
    nextDue = nil
    lastTime = nil
  }

  /// Returns whether the frame at `time`, in nanoseconds, gets an inference.
  ///
  /// `targetFPS` is the maximum number of inferences per second, or 0 for every frame. A frame
  /// without a time always gets one.
  ///
  /// The due times have regular intervals: a frame slightly after its due time does not delay them.
  public mutating func isDue(at time: UInt64?, targetFPS: Double) -> Bool {
    guard targetFPS > 0, let time else { return true }
    let interval = UInt64(min(1_000_000_000 / targetFPS, 1e18))
    if let lastTime, time < lastTime { nextDue = nil }
    lastTime = time
    // The rate may have been lower when the due time was set.
    guard let due = nextDue.map({ min($0, time &+ interval) }) else {
      nextDue = time &+ interval
      return true
    }
    nextDue = due
    // Timestamps are rounded to nanoseconds: three thirtieths are not exactly a tenth.
    guard time &+ 1_000 >= due else { return false }
    let following = due &+ interval
    nextDue = following > time ? following : time &+ interval
    return true
  }
}
