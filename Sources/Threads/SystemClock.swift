#if canImport(Glibc)
  import Glibc
#endif

/// Clocks of the system, in nanoseconds; the standard library's own would bring its concurrency
/// runtime into the plugin.
package enum SystemClock {
  /// A time that never goes back.
  package static var time: UInt64 { now(CLOCK_MONOTONIC) ?? 0 }

  /// What the calling thread has computed.
  package static var computed: UInt64 { now(CLOCK_THREAD_CPUTIME_ID) ?? 0 }

  /// What a thread of this process has computed, by the system's number of it; nil when it has ended.
  package static func computed(by thread: pid_t) -> UInt64? {
    // As pthread_getcpuclockid makes the clocks of the threads that it is given by another name.
    now((~clockid_t(thread) << 3) | 6)
  }

  private static func now(_ clock: clockid_t) -> UInt64? {
    var time = timespec()
    guard unsafe clock_gettime(clock, &time) == 0 else { return nil }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
