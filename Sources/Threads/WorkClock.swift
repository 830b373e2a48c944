/// The clocks that measure work, which tests replace.
package struct LoadClock: Sendable {
  /// Returns the time of a monotonic clock in nanoseconds.
  package var time: @Sendable () -> UInt64 = { SystemClock.time }
  /// Returns the CPU time of the calling thread in nanoseconds.
  package var computed: @Sendable () -> UInt64 = { SystemClock.computed }

  package init() {}
}

/// Measures the duration and the CPU time of some work on this thread.
package struct WorkClock {
  private let clock: LoadClock
  private let began: UInt64
  private let beganComputing: UInt64

  package init(_ clock: LoadClock) {
    self.clock = clock
    began = clock.time()
    beganComputing = clock.computed()
  }

  /// Nanoseconds since the start.
  package var elapsed: UInt64 { clock.time() &- began }

  /// CPU time of the calling thread since the start, in nanoseconds.
  package var computed: UInt64 { clock.computed() &- beganComputing }
}
