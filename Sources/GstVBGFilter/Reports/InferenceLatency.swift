/// Measures the latency to report if only some frames get their own inference.
///
/// A frame that waits for its inference is delayed. The frames after it need little work, so the
/// element catches up. A latency of one frame interval lets a sink show more of these frames in
/// time. More would delay all frames, and the sound, for a few. If every frame gets an inference,
/// the element cannot catch up, and a latency does not help.
struct InferenceLatency: Sendable {
  /// The latency in nanoseconds, or 0 if inferences do not delay frames.
  private(set) var nanoseconds: UInt64 = 0

  /// A slow frame is ignored unless another one was among this many frames with an inference.
  private static let memory = 16
  /// The number of frames with an inference since the last slow frame.
  private var age: Int?

  /// Records a frame after which an inference has finished.
  ///
  /// `work` is the processing time of the frame, and `frameInterval` the time from one frame to the
  /// next, both in nanoseconds.
  mutating func record(work: UInt64, frameInterval: UInt64) {
    if let age { self.age = age + 1 }
    guard work > frameInterval, nanoseconds == 0 else { return }
    if let age, age <= Self.memory { nanoseconds = frameInterval }
    age = 0
  }
}
