/// How long the time from one matte to the next is, whatever the rate of the inferences.
///
/// Time is counted in ticks of a thirtieth of a second: whole numbers, so that what counts them is as
/// exact and as quick as what counts mattes, and at 30 mattes a second each is a tick. What is left of
/// a tick is carried over.
package struct MatteClock {
  /// After so many ticks nothing is left of what was remembered.
  static let maxTicks = ticks(seconds: 4)

  private static let ticksPerSecond: Int64 = 30
  private static let second: Int64 = 1_000_000_000
  private var last: UInt64?
  /// Thirtieths of nanoseconds; negative when the last tick was counted too early.
  private var rest: Int64 = 0

  /// The ticks in so many seconds.
  package static func ticks(seconds: Double) -> Int {
    Int((seconds * Double(ticksPerSecond)).rounded())
  }

  /// The next matte is the first.
  package mutating func reset() {
    last = nil
    rest = 0
  }

  /// Nanoseconds from the last matte to `time`; nil when there was none before it.
  func elapsed(at time: UInt64) -> UInt64? {
    last.flatMap { time >= $0 ? time - $0 : nil }
  }

  /// The ticks since the last matte, for one at `time` in nanoseconds; the first one is a tick.
  package mutating func advance(to time: UInt64) -> Int {
    defer { last = time }
    guard let last, time >= last else {
      rest = 0
      return 1
    }
    let elapsed = Int64(min(time - last, UInt64(10 * Self.second)))
    let sum = elapsed * Self.ticksPerSecond + rest
    // To the nearest: times are rounded, and those of cameras tremble.
    let ticks = max((sum + Self.second / 2) / Self.second, 0)
    rest = sum - ticks * Self.second
    return min(Int(ticks), Self.maxTicks)
  }
}
