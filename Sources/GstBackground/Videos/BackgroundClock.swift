/// Measures how long a background has been shown, in nanoseconds of running time.
///
/// The clock does not advance while the stream is paused, because no frames arrive then. It also
/// does not advance across a jump in the stream, because the running time may restart there.
/// `recordJump` reports a jump. A step backwards, or of more than an hour, also counts as a jump.
struct BackgroundClock {
  /// The duration in nanoseconds of a frame without a time.
  private static let usualLength: UInt64 = 33_333_333
  /// The maximum time between two consecutive frames, in nanoseconds: an hour.
  private static let longestStep: UInt64 = 3_600_000_000_000

  /// The time for which the background has been shown, in nanoseconds.
  private(set) var position: UInt64 = 0
  /// The running time of the last frame, or nil if it is missing or a jump follows.
  private var last: UInt64?

  /// Advances to a frame's running time, or by one frame if the time is missing.
  mutating func advance(to time: UInt64?) {
    if let time {
      if let last, time > last, time - last <= Self.longestStep { position &+= time - last }
    } else {
      position &+= Self.usualLength
    }
    last = time
  }

  /// Records that the next frame does not follow the last one.
  mutating func recordJump() {
    last = nil
  }

  /// Sets the position to 0, for another background.
  mutating func restart() {
    position = 0
  }
}
