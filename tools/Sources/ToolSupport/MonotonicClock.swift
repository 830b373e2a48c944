#if canImport(Glibc)
  import Glibc
#endif

/// A clock that never goes back.
public enum MonotonicClock {
  /// Nanoseconds since an arbitrary moment before the process began.
  public static func now() -> UInt64 { read(CLOCK_MONOTONIC) }

  /// Nanoseconds that all threads of this process have computed.
  public static func computed() -> UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Milliseconds since a time that `now` returned.
  public static func milliseconds(since start: UInt64) -> Double {
    Double(now() &- start) / 1e6
  }
}
