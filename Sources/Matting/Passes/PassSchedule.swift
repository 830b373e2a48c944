/// Decides when a pass that does not run on each frame is due.
///
/// A pass is due once per interval. After `record(share:)` has returned true, the pass is due on
/// each frame for `followUpTime`.
struct PassSchedule {
  /// The ticks from one full-frame pass to the next, and between tiles of an empty frame.
  ///
  /// Passes run only with an inference, so a person outside the crop may be found later than that.
  static let searchInterval = MatteClock.ticks(seconds: 0.13)
  /// The ticks from one check or recovery to the next.
  static let probeInterval = MatteClock.ticks(seconds: 1)

  /// The ticks after a find during which a pass is due on each frame.
  private static let followUpTime = MatteClock.ticks(seconds: 2)
  /// The minimum share of the matte that counts as a find, first and during the follow-up.
  private static let minShares = (first: 0.01, later: 0.005)

  private let interval: Int
  private var ticksSincePass: Int
  private var ticksSinceFind = followUpTime

  /// Creates a schedule with a first pass that is due at once.
  init(interval: Int) {
    self.interval = interval
    ticksSincePass = interval
  }

  /// Whether a pass on this frame is due.
  var isDue: Bool { isFollowingUp || ticksSincePass >= interval }

  private var isFollowingUp: Bool { ticksSinceFind < Self.followUpTime }

  /// Resets the schedule, so that a pass is due on the next frame.
  mutating func reset() { self = PassSchedule(interval: interval) }

  /// Advances by `ticks`.
  mutating func advance(by ticks: Int) {
    ticksSincePass = min(ticksSincePass + ticks, interval)
    ticksSinceFind = min(ticksSinceFind + ticks, Self.followUpTime)
  }

  /// Starts the interval after a pass.
  mutating func restart() { ticksSincePass = 0 }

  /// Records a pass that changed `share` of the matte.
  ///
  /// Returns whether the share is large enough to count as a find.
  mutating func record(share: Double) -> Bool {
    let isFind = share >= (isFollowingUp ? Self.minShares.later : Self.minShares.first)
    restart()
    if isFind { ticksSinceFind = 0 }
    return isFind
  }
}
