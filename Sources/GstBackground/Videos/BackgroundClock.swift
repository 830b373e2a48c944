/// Measures the use of a background, in nanoseconds of the stream's running time.
///
/// It stands still while the stream is paused, because no frames come then. It also stands still
/// across a jump of the stream, after which running time may restart. A jump is detected if a
/// frame's time is far from the previous one's.
struct BackgroundClock {
  /// The duration of a frame without a time.
  private static let usualLength: UInt64 = 33_333_333
  /// Frames that are further apart do not follow one another: an hour.
  private static let longestStep: UInt64 = 3_600_000_000_000

  private(set) var position: UInt64 = 0
  private var last: UInt64?

  /// Advances to a frame's running time, or by one frame if it has none.
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

  /// Restarts, for another background.
  mutating func restart() {
    position = 0
  }
}
