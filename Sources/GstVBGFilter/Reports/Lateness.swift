/// The lateness of frames, as downstream reports it in quality-of-service events.
struct Lateness: Sendable {
  /// The time from one frame to the next, in nanoseconds.
  ///
  /// A frame counts as late if its delay is more than an eighth of this time. The limit is low
  /// because sinks that draw into windows drop frames that are 5 ms late.
  var frameInterval: UInt64 = 33_333_333
  /// The number of late frames since the last call of `consumeFrames`.
  private(set) var frames = 0
  /// The lateness of the last frame in nanoseconds, or negative if it was early.
  private(set) var jitter: Int64 = 0
  /// The ratio of the current rate to the rate that downstream can handle, from the last event.
  private(set) var proportion = 1.0

  /// Records a quality-of-service event.
  mutating func record(jitter: Int64, proportion: Double) {
    self.jitter = jitter
    self.proportion = proportion
    if jitter > Int64(clamping: frameInterval / 8) { frames += 1 }
  }

  /// Records a frame that was dropped because it arrived too late.
  mutating func recordDrop() {
    frames += 1
  }

  /// Returns the number of late frames since the last call, and resets it.
  mutating func consumeFrames() -> Int {
    defer { frames = 0 }
    return frames
  }
}
