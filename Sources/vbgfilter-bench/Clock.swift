#if canImport(Glibc)
  import Glibc
#endif

/// A clock that never goes back.
enum Clock {
  /// Nanoseconds since some moment.
  static func now() -> UInt64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Milliseconds that `work` takes.
  static func milliseconds(of work: () -> Void) -> Double {
    let began = now()
    work()
    return Double(now() &- began) / 1e6
  }
}
