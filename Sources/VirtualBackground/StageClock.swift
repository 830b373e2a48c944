#if canImport(Glibc)
  import Glibc
#endif

/// Measures how long each stage of a frame takes.
struct StageClock {
  /// A stage of a frame.
  enum Stage {
    case prepare, inference, matte, composite
  }

  private(set) var prepare: UInt64 = 0
  private(set) var inference: UInt64 = 0
  private(set) var matte: UInt64 = 0
  private(set) var composite: UInt64 = 0
  private var last = Self.now()

  /// The time since the last stage was finished belongs to `stage`.
  mutating func finish(_ stage: Stage) {
    let now = Self.now()
    let elapsed = now &- last
    last = now
    switch stage {
    case .prepare: prepare += elapsed
    case .inference: inference += elapsed
    case .matte: matte += elapsed
    case .composite: composite += elapsed
    }
  }

  /// Nanoseconds of a clock that never goes back; the standard library's own would bring its
  /// concurrency runtime into the plugin.
  private static func now() -> UInt64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
