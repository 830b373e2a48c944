/// A presentation clock that also advances for frames without usable timestamps.
public struct FrameClock: Sendable {
  /// The assumed frame duration in nanoseconds if there is no timestamp and no negotiated rate.
  static let defaultDuration: UInt64 = 33_333_333
  /// The minimum usable distance between timestamps: a thousand frames per second.
  ///
  /// If a rate was negotiated, the minimum is a share of the frame duration, because delayed frames
  /// arrive in bursts.
  private static let minStep: UInt64 = 1_000_000
  private static let minShareOfDuration: UInt64 = 10

  /// The time of the last frame, in nanoseconds since the first.
  public private(set) var now: UInt64 = 0
  /// Whether the last step came from a timestamp or the negotiated rate, and was not a guess.
  public private(set) var isKnown = false
  private var last: UInt64?

  /// Creates a clock before the first frame.
  public init() {}

  /// Advances to the next frame.
  ///
  /// The clock advances to `time`, or by `duration` if `time` is nil or not usable. Both are in
  /// nanoseconds.
  public mutating func advance(to time: UInt64?, duration: UInt64?) {
    defer { last = time }
    let minStep = duration.map { $0 / Self.minShareOfDuration } ?? Self.minStep
    if let time, let last, time > last, time - last >= minStep {
      now &+= time - last
      isKnown = true
    } else {
      now &+= duration ?? Self.defaultDuration
      isKnown = duration != nil
    }
  }
}
