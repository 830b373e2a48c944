/// Decides which latency to report if only some frames get their own inference.
///
/// A frame that waits for its inference is delayed. If the frames after it need little work, the
/// element catches up. A latency of one frame interval lets a sink show more of these frames in
/// time. A longer latency would delay all frames, and the sound.
///
/// While people move fast, nearly every frame waits. If an inference then takes longer than a frame
/// interval, the element cannot catch up: with a latency of one interval, a sink would drop nearly
/// all frames. So the latency is the longest wait. If the user requests an inference in every
/// frame, the latency would grow without helping.
struct InferenceLatency: Sendable {
  /// The latency to report, in nanoseconds.
  private(set) var nanoseconds: UInt64 = 0

  /// A slow frame is ignored unless another one was among this many frames with an inference.
  private static let memory = 16
  /// The number of slow frames among the last 16 with which the element does not catch up.
  ///
  /// It is more than networks need to converge after a scene change.
  private static let maxSlowFrames = 12
  /// The maximum latency in nanoseconds.
  private static let maxLatency: UInt64 = 300_000_000
  /// The number of frames with an inference since the last slow frame.
  private var age: Int?
  /// A bit for each of the last 16 frames, 1 if the frame was slow.
  private var slowFrames: UInt16 = 0
  /// The longest work of these slow frames, in nanoseconds.
  private var longestWork: UInt64 = 0

  /// Records a frame.
  ///
  /// `inferred` is true for a frame with an inference, and for the first frame that uses one from
  /// alongside. `work` is the processing time of the frame, and `frameInterval` the usual time from
  /// one frame to the next, both in nanoseconds.
  mutating func record(work: UInt64, inferred: Bool, frameInterval: UInt64) {
    let isSlow = inferred && work > frameInterval
    slowFrames = slowFrames << 1 | (isSlow ? 1 : 0)
    if slowFrames == 0 { longestWork = 0 }
    if inferred, let age { self.age = age + 1 }
    guard isSlow, frameInterval > 0 else { return }
    longestWork = max(longestWork, work)
    if let age, age <= Self.memory { nanoseconds = max(nanoseconds, frameInterval) }
    age = 0
    guard slowFrames.nonzeroBitCount >= Self.maxSlowFrames else { return }
    let wait = min(longestWork, Self.maxLatency)
    nanoseconds = max(nanoseconds, (wait + frameInterval - 1) / frameInterval * frameInterval)
  }
}
