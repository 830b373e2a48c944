import Glibc

/// Clocks of the system, in nanoseconds.
///
/// The clocks of the standard library are not used, because they would load Swift's concurrency
/// runtime into the plugin.
package enum SystemClock {
  package static var time: UInt64 { now(CLOCK_MONOTONIC) ?? 0 }

  /// The CPU time of the calling thread.
  package static var computed: UInt64 { now(CLOCK_THREAD_CPUTIME_ID) ?? 0 }

  /// Returns the CPU time of a thread of this process by its system ID, or nil if it has ended.
  package static func computed(by thread: pid_t) -> UInt64? {
    // Compute the clock ID like pthread_getcpuclockid, which requires a pthread_t.
    now((~clockid_t(thread) << 3) | 6)
  }

  private static func now(_ clock: clockid_t) -> UInt64? {
    var time = timespec()
    guard unsafe clock_gettime(clock, &time) == 0 else { return nil }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
