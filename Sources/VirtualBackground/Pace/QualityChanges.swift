import InferenceTypes

/// Decides when a stream's quality may change again, so that viewers do not see it flicker.
///
/// After a failed step up the next attempt waits for a pause, which doubles with each failure.
struct QualityChanges: Sendable {
  private static let second: UInt64 = 1_000_000_000
  /// The minimum time between two changes unless the stream cannot keep up.
  private static let leastStay = 10 * second
  /// A step down within this time after a step up means that the step up failed.
  private static let probation = 60 * second
  private static let pause = (least: 60 * second, most: 480 * second)

  private struct Failure: Sendable {
    var mayRetryAt: UInt64
    var pause: UInt64
  }

  private var lastChange: UInt64?
  /// The time of the last step up, or nil after its probation or a step down.
  private var raised: UInt64?
  private var failures: [Quality: Failure] = [:]

  /// Whether the quality changed less than `leastStay` before `time`, in nanoseconds.
  func mustStay(at time: UInt64) -> Bool {
    lastChange.map { time &- $0 < Self.leastStay } == true
  }

  /// Whether a step up to `quality` may be tried at `time`.
  func mayRaise(to quality: Quality, at time: UInt64) -> Bool {
    !mustStay(at: time) && failures[quality].map { time >= $0.mayRetryAt } != false
  }

  /// Notes that no frame had the quality until `time`: its network loads, or the stream pauses.
  mutating func notePause(at time: UInt64) {
    if mustStay(at: time) { lastChange = time }
  }

  /// Notes a step up at `time`.
  mutating func noteRaise(at time: UInt64) {
    lastChange = time
    raised = time
  }

  /// Notes a step down from `quality` at `time`.
  mutating func noteStepDown(from quality: Quality, at time: UInt64) {
    lastChange = time
    if raised.map({ time &- $0 < Self.probation }) == true { noteFailure(of: quality, at: time) }
    raised = nil
  }

  /// Notes that `quality` turned out to be too slow at `time`.
  mutating func noteFailure(of quality: Quality, at time: UInt64) {
    let pause = failures[quality].map { min(2 * $0.pause, Self.pause.most) } ?? Self.pause.least
    failures[quality] = Failure(mayRetryAt: time &+ pause, pause: pause)
  }

  /// Notes that the stream keeps up with `quality` at `time`.
  mutating func noteCalm(with quality: Quality, at time: UInt64) {
    guard let raised, time &- raised >= Self.probation else { return }
    failures[quality] = nil
    self.raised = nil
  }
}
