import Threads

/// Clocks under control of a test, which sets the duration of all computations.
final class TestClock: Sendable {
  private struct Times: Sendable {
    var time: UInt64 = 1_000_000_000
    var computed: UInt64 = 0
  }

  private let times = Monitor(Times())

  var clock: LoadClock {
    var clock = LoadClock()
    clock.time = { self.times.current.time }
    clock.computed = { self.times.current.computed }
    return clock
  }

  /// Advances the wall clock.
  func pass(_ nanoseconds: UInt64) {
    times.withLock { $0.time += nanoseconds }
  }

  /// Advances the wall clock and the CPU time of the streaming thread.
  func compute(_ nanoseconds: UInt64) {
    times.withLock { times in
      times.time += nanoseconds
      times.computed += nanoseconds
    }
  }
}
