import Threads

/// The clocks by which the element judges what its work costs; tests put in others.
struct LoadClock: Sendable {
  /// Nanoseconds of a time that never goes back.
  var time: @Sendable () -> UInt64
  /// Nanoseconds that the calling thread has computed.
  var computed: @Sendable () -> UInt64

  /// The system's.
  static let system = LoadClock(time: { SystemClock.time }, computed: { SystemClock.computed })
}

/// Measures the work on a frame: how long it takes, and how long this thread computes for it.
struct WorkClock {
  private let clock: LoadClock
  private let began: UInt64
  private let beganComputing: UInt64

  /// The work begins.
  init(_ clock: LoadClock) {
    self.clock = clock
    began = clock.time()
    beganComputing = clock.computed()
  }

  /// Nanoseconds since the work began.
  var elapsed: UInt64 { clock.time() &- began }

  /// Nanoseconds that the calling thread computed since then.
  var computed: UInt64 { clock.computed() &- beganComputing }
}
