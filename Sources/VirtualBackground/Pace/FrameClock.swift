/// A clock for a stream's frames that also advances without usable timestamps.
public struct FrameClock: Sendable {
  /// The assumed frame duration in nanoseconds if there is no timestamp and no negotiated rate.
  private static let defaultDuration: UInt64 = 33_333_333
  /// Timestamps that are closer than this are not usable: they mean over a thousand frames a
  /// second.
  ///
  /// If a rate was negotiated, the minimum is a share of the frame duration, since delayed frames
  /// come in bursts.
  private static let minStep: UInt64 = 1_000_000
  private static let minShareOfDuration: UInt64 = 10

  /// The time of the last frame, in nanoseconds since the first.
  public private(set) var now: UInt64 = 0
  /// Whether the last step came from a timestamp or the negotiated rate, and was not a guess.
  public private(set) var isKnown = false
  private var last: UInt64?

  /// Creates a clock that has seen no frame.
  public init() {}

  /// Advances to the next frame.
  ///
  /// That is to `time` in nanoseconds, or by `duration` if `time` is missing or not usable.
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
