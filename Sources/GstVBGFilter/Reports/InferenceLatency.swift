/// Decides which latency to report if only some frames get their own inference.
///
/// A frame that waits for its inference is delayed. If the frames after it need little work, the
/// element catches up. If the latency is as long as the wait, a sink shows all of them in time. It
/// stays until the format, the network or `inference` changes, because each change of the latency
/// disturbs the pipeline. A single slow frame does not count, because latency delays all frames, and the sound.
/// If the user requests an inference in every frame, the latency would grow without helping.
struct InferenceLatency: Sendable {
  /// The latency to report, in nanoseconds.
  private(set) var nanoseconds: UInt64 = 0

  /// The number of frames that count.
  private static let memory = 16
  /// The maximum latency in nanoseconds, a third of a second.
  private static let maxLatency: UInt64 = 333_333_333
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
    let intervals = (min(wait, Self.maxLatency) + frameInterval - 1) / frameInterval
    nanoseconds = max(nanoseconds, min(intervals * frameInterval, Self.maxLatency))
  }
}
