/// The clocks by which work is measured; tests put in others.
package struct LoadClock: Sendable {
  /// Nanoseconds of a time that never goes back.
  package var time: @Sendable () -> UInt64
  /// Nanoseconds that the calling thread has computed.
  package var computed: @Sendable () -> UInt64

  /// Makes clocks of two functions.
  package init(
    time: @escaping @Sendable () -> UInt64, computed: @escaping @Sendable () -> UInt64
  ) {
    self.time = time
    self.computed = computed
  }

  /// The system's.
  package static let system = LoadClock(
    time: { SystemClock.time }, computed: { SystemClock.computed })
}

/// Measures some work: how long it takes, and how long this thread computes for it.
package struct WorkClock {
  private let clock: LoadClock
  private let began: UInt64
  private let beganComputing: UInt64

  /// The work begins.
  package init(_ clock: LoadClock) {
    self.clock = clock
    began = clock.time()
    beganComputing = clock.computed()
  }

  /// Nanoseconds since the work began.
  package var elapsed: UInt64 { clock.time() &- began }

  /// Nanoseconds that the calling thread computed since then.
  package var computed: UInt64 { clock.computed() &- beganComputing }
}
