/// Decides which latency to report if only some frames get their own inference.
///
/// A frame that waits for its inference is delayed. If the frames after it need little work, the
/// element catches up. With a latency of this wait, a sink shows all of them in time. A single slow
/// frame adds no latency, because latency delays all frames, and the sound. If the user requests an
/// inference in every frame, the latency would grow without helping.
struct InferenceLatency: Sendable {
  /// The latency to report in nanoseconds, a multiple of the frame interval.
  private(set) var nanoseconds: UInt64 = 0

  /// The number of frames whose work counts.
  private static let memory = 16
  /// The maximum wait in nanoseconds.
  private static let maxWait: UInt64 = 300_000_000
  /// The work of the last frames with an inference, in nanoseconds, the oldest first.
  private var works: [UInt64] = []

  /// Records a frame.
  ///
  /// `inferred` is true for a frame with an inference, and for the first frame that uses one from
  /// alongside. `work` is the processing time of the frame, and `frameInterval` the usual time from
  /// one frame to the next, both in nanoseconds.
  mutating func record(work: UInt64, inferred: Bool, frameInterval: UInt64) {
    guard inferred, frameInterval > 0 else { return }
    if works.count == Self.memory { works.removeFirst() }
    works.append(work)
    // The wait that two of the frames reach.
    var longest: UInt64 = 0
    var wait: UInt64 = 0
    for work in works {
      wait = max(wait, min(longest, work))
      longest = max(longest, work)
    }
    guard wait > frameInterval else { return }
    wait = min(wait, Self.maxWait)
    nanoseconds = max(nanoseconds, (wait + frameInterval - 1) / frameInterval * frameInterval)
  }
}
