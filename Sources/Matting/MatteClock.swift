/// Measures the time between mattes in ticks of 1/30 s, independent of the inference rate.
///
/// At 30 mattes per second, each matte is one tick. Ticks are whole numbers, so timers are exact.
/// Fractions of a tick are carried over.
package struct MatteClock {
  /// The maximum ticks between two mattes, within which all temporal state expires.
  static let maxTicks = ticks(seconds: 4)

  private static let ticksPerSecond: Int64 = 30
  /// The seconds of one tick.
  package static let secondsPerTick = 1 / Float(ticksPerSecond)
  private static let second: Int64 = 1_000_000_000
  private var last: UInt64?
  /// The carried-over time in thirtieths of a nanosecond, negative if the last tick was early.
  private var rest: Int64 = 0

  /// Creates a clock before the first matte.
  package init() {}

  /// Returns the number of ticks in a time.
  package static func ticks(seconds: Double) -> Int {
    Int((seconds * Double(ticksPerSecond)).rounded())
  }

  /// Discards the time of the last matte, so that the next matte counts as the first.
  package mutating func reset() {
    last = nil
    rest = 0
  }

  /// Returns the ticks since the last matte, for a matte at `time` in nanoseconds.
  ///
  /// The first matte counts as one tick.
  package mutating func advance(to time: UInt64) -> Int {
    defer { last = time }
    guard let last, time >= last else {
      rest = 0
      return 1
    }
    let elapsed = Int64(min(time - last, UInt64(10 * Self.second)))
    let sum = elapsed * Self.ticksPerSecond + rest
    // Round to the nearest tick: timestamps are rounded and have jitter.
    let ticks = max((sum + Self.second / 2) / Self.second, 0)
    rest = sum - ticks * Self.second
    return min(Int(ticks), Self.maxTicks)
  }
}

/// Measures how long a condition has held, in `MatteClock` ticks.
package struct Debouncer {
  private var ticks = 0

  /// Creates a timer for a condition that does not hold yet.
  package init() {}

  /// Restarts the measurement, because the condition does not hold or has changed.
  package mutating func reset() { ticks = 0 }

  /// Records whether the condition holds `elapsed` ticks after the last call.
  ///
  /// Returns whether it has held for `holdTime` ticks. A newly true condition counts as one tick,
  /// regardless of `elapsed`.
  package mutating func record(_ holds: Bool, after elapsed: Int, lasts holdTime: Int) -> Bool {
    ticks = holds ? (ticks == 0 ? 1 : ticks + elapsed) : 0
    return ticks >= holdTime
  }
}
