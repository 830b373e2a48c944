/// The times of a stream's frames, for those that have none too.
struct FrameClock {
  /// From a frame to the next where nothing says how long that is.
  private static let usualDuration: UInt64 = 33_333_333

  /// The time of the last frame, in nanoseconds since the first.
  private(set) var now: UInt64 = 0
  private var last: UInt64?

  /// The next frame is at `time` nanoseconds, or `duration` after the one before: without a time, and
  /// where that does not go on.
  mutating func advance(to time: UInt64?, duration: UInt64?) {
    defer { last = time }
    guard let time, let last, time > last else {
      now &+= duration ?? Self.usualDuration
      return
    }
    now &+= time - last
  }
}
