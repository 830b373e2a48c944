/// For how long a condition has held, in the ticks of a `MatteClock`.
package struct Debouncer {
  private var ticks = 0

  /// The condition does not hold yet.
  package init() {}

  /// The condition does not hold, or is another one from now on.
  package mutating func reset() { ticks = 0 }

  /// Notes whether it holds now, so many ticks after the last time; returns whether it has held for
  /// `patience`.
  ///
  /// One that is new has held for a tick, however long ago the last time was.
  package mutating func note(_ holds: Bool, after elapsed: Int, lasts patience: Int) -> Bool {
    ticks = holds ? (ticks == 0 ? 1 : ticks + elapsed) : 0
    return ticks >= patience
  }
}
