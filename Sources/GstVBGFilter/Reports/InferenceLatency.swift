/// Decides whether to report a latency if only some frames get their own inference.
///
/// A frame that waits for its inference is delayed. The frames after it need little work, so the
/// element catches up. A latency of one frame interval lets a sink show more of these frames in
/// time. A longer latency would delay all frames, and the sound. If every frame gets an inference,
/// the element cannot catch up, and a latency does not help.
struct InferenceLatency: Sendable {
  /// Whether inferences delay frames, so that the latency is one frame interval.
  private(set) var isNeeded = false

  /// A slow frame is ignored unless another one was among this many frames with an inference.
  private static let memory = 16
  /// The number of frames with an inference since the last slow frame.
  private var age: Int?

  /// Records a frame with an inference, or the first frame that uses one from alongside.
  ///
  /// `work` is the processing time of the frame, and `frameInterval` the usual time from one frame
  /// to the next, both in nanoseconds.
  mutating func record(work: UInt64, frameInterval: UInt64) {
    if let age { self.age = age + 1 }
    guard work > frameInterval else { return }
    if let age, age <= Self.memory { isNeeded = true }
    age = 0
  }
}
