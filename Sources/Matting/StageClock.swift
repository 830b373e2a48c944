import Threads

/// Measures how long each stage of a frame takes.
package struct StageClock {
  /// A stage of a frame.
  package enum Stage {
    case prepare, inference, matte, composite
  }

  package private(set) var prepare: UInt64 = 0
  package private(set) var inference: UInt64 = 0
  package private(set) var matte: UInt64 = 0
  package private(set) var composite: UInt64 = 0
  /// Nanoseconds that other threads computed for the networks.
  package var helperTime: UInt64 = 0
  private var last = SystemClock.time

  /// The first stage begins now.
  package init() {}

  /// The time since the last stage was finished belongs to `stage`.
  package mutating func finish(_ stage: Stage) {
    let now = SystemClock.time
    let elapsed = now &- last
    last = now
    switch stage {
    case .prepare: prepare += elapsed
    case .inference: inference += elapsed
    case .matte: matte += elapsed
    case .composite: composite += elapsed
    }
  }
}
