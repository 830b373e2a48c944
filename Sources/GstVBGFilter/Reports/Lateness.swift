/// The downstream reports about the times of the frames that it received.
struct Lateness: Sendable {
  /// The time from a frame to the next, in nanoseconds.
  ///
  /// A frame is late if it is later than an eighth of this: sinks that draw into windows drop
  /// frames that are 5 ms late.
  var frameInterval: UInt64 = 33_333_333
  /// Late frames since the last call of `consumeFrames`.
  private(set) var frames = 0
  /// The lateness of the last frame in nanoseconds, or negative if it was early.
  private(set) var jitter: Int64 = 0
  /// The ratio of the present rate to the one that downstream can handle, from its event.
  private(set) var proportion = 1.0

  /// Records a quality-of-service event.
  mutating func record(jitter: Int64, proportion: Double) {
    self.jitter = jitter
    self.proportion = proportion
    if jitter > Int64(clamping: frameInterval / 8) { frames += 1 }
  }

  /// Records a frame that was dropped because it came too late.
  mutating func recordDrop() {
    frames += 1
  }

  /// Returns the number of late frames since the last call.
  mutating func consumeFrames() -> Int {
    defer { frames = 0 }
    return frames
  }
}
