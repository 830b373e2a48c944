/// A clock of a stream's frames that goes on when their timestamps do not.
public struct FrameClock: Sendable {
  /// Nanoseconds from a frame to the next if nothing says how long that is.
  private static let defaultDuration: UInt64 = 33_333_333
  /// Timestamps closer than this are not times: those of a thousand frames a second.
  ///
  /// If the rate was negotiated it is a share of a frame's duration: frames that were held up come in bursts.
  private static let minStep: UInt64 = 1_000_000
  private static let minShareOfDuration: UInt64 = 10

  /// The time of the last frame, in nanoseconds since the first.
  public private(set) var now: UInt64 = 0
  /// Whether the last step was a timestamp's or the negotiated rate's, not a guess.
  public private(set) var isKnown = false
  private var last: UInt64?

  /// Creates a clock that has seen no frame.
  public init() {}

  /// Moves to the next frame: to `time` in nanoseconds, or by `duration` if there is no time or it does
  /// not go on as times do.
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
