/// How long a background has been in use, in nanoseconds of the stream's running time.
///
/// It stands still while the stream is paused, for no frames come then, and across a jump of the
/// stream, after which running time may begin anew. So it does when a frame's time is far from the
/// last one's, whatever made it so.
struct BackgroundClock {
  /// For how long a frame is shown that does not say when.
  private static let usualLength: UInt64 = 33_333_333
  /// Frames that lie further apart do not follow one another: an hour.
  private static let longestStep: UInt64 = 3_600_000_000_000

  private(set) var position: UInt64 = 0
  private var last: UInt64?

  /// Goes on to a frame's running time, or by one frame if it has none.
  mutating func advance(to time: UInt64?) {
    if let time {
      if let last, time > last, time - last <= Self.longestStep { position &+= time - last }
    } else {
      position &+= Self.usualLength
    }
    last = time
  }

  /// Notes that the next frame does not follow the last one.
  mutating func recordJump() {
    last = nil
  }

  /// Begins anew, with another background.
  mutating func restart() {
    position = 0
  }
}
