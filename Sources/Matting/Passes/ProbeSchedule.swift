/// When to look for what is seldom there: each second, and for a while after it was found, in each frame.
struct ProbeSchedule {
  /// Ticks from one look to the next while nothing is found.
  private static let interval = MatteClock.ticks(seconds: 1)
  /// What was found once is looked for in each frame for so many ticks.
  private static let patience = MatteClock.ticks(seconds: 2)
  /// Shares of a matte that are found at least: at first, and for so long after it.
  private static let leastShares = (first: 0.01, later: 0.005)

  private var ticksSinceLook = interval
  private var ticksSinceFound = patience

  /// Whether this frame is to be looked at.
  var isDue: Bool { isFoundRecent || ticksSinceLook >= Self.interval }

  private var isFoundRecent: Bool { ticksSinceFound < Self.patience }

  /// Forgets all looks: the next frame is to be looked at.
  mutating func reset() { self = ProbeSchedule() }

  /// Lets so many ticks pass.
  mutating func advance(by ticks: Int) {
    ticksSinceLook = min(ticksSinceLook + ticks, Self.interval)
    ticksSinceFound = min(ticksSinceFound + ticks, Self.patience)
  }

  /// Notes that this frame was looked at, and what share of the matte it concerns; returns whether that
  /// is enough to count as found.
  mutating func note(share: Double) -> Bool {
    let isFound = share >= (isFoundRecent ? Self.leastShares.later : Self.leastShares.first)
    ticksSinceLook = 0
    if isFound { ticksSinceFound = 0 }
    return isFound
  }
}
