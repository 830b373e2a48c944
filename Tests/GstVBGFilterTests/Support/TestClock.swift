import Threads

/// Clocks that a test sets: what a machine computes takes as long as the test says.
final class TestClock: Sendable {
  private struct Times: Sendable {
    var time: UInt64 = 1_000_000_000
    var computed: UInt64 = 0
  }

  private let times = Monitor(Times())

  var clock: LoadClock {
    LoadClock(time: { self.times.current.time }, computed: { self.times.current.computed })
  }

  /// Time passes.
  func pass(_ nanoseconds: UInt64) {
    times.withLock { $0.time += nanoseconds }
  }

  /// The streaming thread computes.
  func compute(_ nanoseconds: UInt64) {
    times.withLock { times in
      times.time += nanoseconds
      times.computed += nanoseconds
    }
  }
}
