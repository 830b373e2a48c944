import Glibc

/// Measures the work on a frame: how long it takes, and how long this thread computes for it.
struct WorkClock {
  private let began = Self.now(CLOCK_MONOTONIC)
  private let beganComputing = Self.now(CLOCK_THREAD_CPUTIME_ID)

  /// Nanoseconds of a clock that never goes back.
  static var time: UInt64 { now(CLOCK_MONOTONIC) }

  /// Nanoseconds since the clock was made.
  var elapsed: UInt64 { Self.now(CLOCK_MONOTONIC) &- began }

  /// Nanoseconds that the calling thread computed since then.
  var computed: UInt64 { Self.now(CLOCK_THREAD_CPUTIME_ID) &- beganComputing }

  private static func now(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
