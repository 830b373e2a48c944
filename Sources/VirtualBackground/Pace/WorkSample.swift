/// What is known about a frame after it has been worked on.
public struct WorkSample: Sendable {
  /// Nanoseconds of a clock that never goes back, at the end of the work.
  public var time: UInt64
  /// Nanoseconds from one frame to the next.
  public var frameInterval: UInt64
  /// Nanoseconds that the work took.
  public var work: UInt64
  /// Nanoseconds of one core that the work took.
  public var processorTime: UInt64
  /// Whether the frame got an inference of its own.
  public var inferred: Bool
  /// Nanoseconds of the work that the network took, if the frame got an inference; 0 if not known.
  public var inferenceTime: UInt64
  /// Frames that were reported to be late since the sample before.
  public var lateFrames: Int

  /// Makes a sample.
  public init(
    time: UInt64, frameInterval: UInt64, work: UInt64, processorTime: UInt64, inferred: Bool,
    inferenceTime: UInt64 = 0, lateFrames: Int
  ) {
    self.time = time
    self.frameInterval = frameInterval
    self.work = work
    self.processorTime = processorTime
    self.inferred = inferred
    self.inferenceTime = inferenceTime
    self.lateFrames = lateFrames
  }
}
