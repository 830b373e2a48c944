/// When to look for what is seldom there: each second, and for a while after it was found, in each frame.
struct LookTimes {
  /// Ticks from one look to the next while nothing is found.
  private static let interval = MatteClock.ticks(seconds: 1)
  /// What was found once is looked for in each frame for so many ticks.
  private static let patience = MatteClock.ticks(seconds: 2)

  private var ticksSinceLook = interval
  private var ticksSinceFound = patience

  /// Whether this frame is to be looked at.
  var isDue: Bool { isFoundRecent || ticksSinceLook >= Self.interval }

  /// Whether something was found a short while ago.
  var isFoundRecent: Bool { ticksSinceFound < Self.patience }

  /// Forgets all looks: the next frame is to be looked at.
  mutating func reset() { self = LookTimes() }

  /// Lets so many ticks pass.
  mutating func advance(by ticks: Int) {
    ticksSinceLook = min(ticksSinceLook + ticks, Self.interval)
    ticksSinceFound = min(ticksSinceFound + ticks, Self.patience)
  }

  /// Notes that this frame was looked at, and whether anything was found.
  mutating func note(isFound: Bool) {
    ticksSinceLook = 0
    if isFound { ticksSinceFound = 0 }
  }
}
