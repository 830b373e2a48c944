/// Schedules a probe for something rare: once a second, and after a find in each frame for a while.
struct ProbeSchedule {
  /// Ticks from one probe to the next while nothing is found.
  private static let interval = MatteClock.ticks(seconds: 1)
  /// Ticks after a find in which each frame is probed.
  private static let followUpTime = MatteClock.ticks(seconds: 2)
  /// Minimum share of the matte that counts as a find, for the first one and during the follow-up.
  private static let minShares = (first: 0.01, later: 0.005)

  private var ticksSinceProbe = interval
  private var ticksSinceFind = followUpTime

  /// Whether a probe of this frame is due.
  var isDue: Bool { isFollowingUp || ticksSinceProbe >= Self.interval }

  private var isFollowingUp: Bool { ticksSinceFind < Self.followUpTime }

  /// Makes a probe of the next frame due.
  mutating func reset() { self = ProbeSchedule() }

  /// Advances by `ticks`.
  mutating func advance(by ticks: Int) {
    ticksSinceProbe = min(ticksSinceProbe + ticks, Self.interval)
    ticksSinceFind = min(ticksSinceFind + ticks, Self.followUpTime)
  }

  /// Records a probe that concerns `share` of the matte, and returns whether that is a find.
  mutating func record(share: Double) -> Bool {
    let isFind = share >= (isFollowingUp ? Self.minShares.later : Self.minShares.first)
    ticksSinceProbe = 0
    if isFind { ticksSinceFind = 0 }
    return isFind
  }
}
