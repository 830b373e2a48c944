/// Decides which frames get an inference of their own, by the times of the frames.
public struct Pacer: Sendable {
  private var nextDue: UInt64?
  private var lastTime: UInt64?

  /// The first frame gets an inference.
  public init() {}

  /// The next frame gets an inference.
  public mutating func reset() {
    nextDue = nil
    lastTime = nil
  }

  /// Whether the frame at `time` nanoseconds gets an inference, at most `targetFPS` a second.
  ///
  /// 0 means every frame. A frame without a time always gets one.
  ///
  /// The beat is kept: a frame that comes a little after its beat does not push the later ones back.
  public mutating func isDue(at time: UInt64?, targetFPS: Double) -> Bool {
    guard targetFPS > 0, let time else { return true }
    let interval = UInt64(min(1_000_000_000 / targetFPS, 1e18))
    if let lastTime, time < lastTime { nextDue = nil }
    lastTime = time
    // A slower pace may have been asked for when the beat was set.
    guard let due = nextDue.map({ min($0, time &+ interval) }) else {
      nextDue = time &+ interval
      return true
    }
    nextDue = due
    // Timestamps are rounded to nanoseconds: a thirtieth three times is not exactly a tenth.
    guard time &+ 1_000 >= due else { return false }
    let following = due &+ interval
    nextDue = following > time ? following : time &+ interval
    return true
  }
}
