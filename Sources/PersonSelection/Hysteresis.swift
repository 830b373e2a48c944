import Matting

/// When `keep=nearest` changes to another person: once they have been clearly larger for a while, since
/// a person who passes by the camera is gone again.
///
/// Time is given in the ticks of a `MatteClock`.
struct Hysteresis {
  /// How much larger, by area.
  private static let factor = 1.4
  private static let patience = MatteClock.ticks(seconds: 0.5)

  private var time = Debouncer()

  /// Another person is kept from now on.
  mutating func reset() { time.reset() }

  /// Whether to change to the largest person, where the kept one has the area `kept`: 0 where they are
  /// not to be seen.
  mutating func isDue(largest: Double, kept: Double, after ticks: Int) -> Bool {
    time.note(largest > Self.factor * kept, after: ticks, lasts: Self.patience)
  }
}
