#if canImport(Glibc)
  import Glibc
#endif

/// Clocks that never go back.
public enum MonotonicClock {
  /// Returns the nanoseconds since an arbitrary moment before the process started.
  public static func now() -> UInt64 { read(CLOCK_MONOTONIC) }

  /// Returns the CPU time that all threads of this process have used, in nanoseconds.
  public static func computed() -> UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Returns the milliseconds since `start`, a value of `now()`.
  public static func milliseconds(since start: UInt64) -> Double {
    Double(now() &- start) / 1e6
  }
}
