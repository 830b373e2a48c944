import Threads

/// Measures the time of each stage of a frame, in nanoseconds.
package struct StageClock {
  /// A stage of a frame.
  package enum Stage {
    case prepare, inference, matte, composite
  }

  package private(set) var prepare: UInt64 = 0
  package private(set) var inference: UInt64 = 0
  package private(set) var matte: UInt64 = 0
  package private(set) var composite: UInt64 = 0
  /// CPU time of the networks' helper threads, in nanoseconds.
  package var helperTime: UInt64 = 0
  private var last = SystemClock.time

  /// The time of all stages in nanoseconds.
  var total: UInt64 { prepare &+ inference &+ matte &+ composite }

  /// Starts the first stage.
  package init() {}

  /// Adds the time since the end of the last stage to `stage`.
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
