/// The sums of what is known about the frames of a while.
struct WorkWindow {
  /// When the work on the first of the frames began.
  let begin: UInt64
  private(set) var frames = 0
  private(set) var work: UInt64 = 0
  private(set) var processorTime: UInt64 = 0
  private(set) var frameIntervals: UInt64 = 0
  private(set) var lateFrames = 0
  private(set) var inferences = 0
  private(set) var workWithInference: UInt64 = 0
  private(set) var processorTimeWithInference: UInt64 = 0
  private(set) var inferenceTime: UInt64 = 0

  /// Begins with the work on a frame, which is not added yet.
  init(beforeWorkOf sample: LoadControl.Sample) {
    begin = sample.time &- min(sample.work, sample.time)
  }

  /// Adds a frame.
  mutating func add(_ sample: LoadControl.Sample) {
    frames += 1
    work &+= sample.work
    processorTime &+= sample.processorTime
    frameIntervals &+= sample.frameInterval
    lateFrames &+= sample.lateFrames
    if sample.inferred {
      inferences += 1
      workWithInference &+= sample.work
      processorTimeWithInference &+= sample.processorTime
      inferenceTime &+= sample.inferenceTime
    }
  }

  /// Whether there are enough frames, over enough nanoseconds until `time`, to judge by.
  func isComplete(at time: UInt64, length: UInt64, frames least: Int) -> Bool {
    time >= begin && time - begin >= length && frames >= least
  }

  /// Whether the thread keeps up no longer at `time`, or takes more than is allowed.
  ///
  /// A thread that works for more than 0.95 of the time cannot keep up with frames that come by
  /// themselves.
  func exceeds(_ budget: LoadControl.Budget, at time: UInt64) -> Bool {
    let length = Double(max(time - begin, 1))
    return budget.isLive && Double(work) / length > 0.95
      || budget.processorShare > 0 && Double(processorTime) / length > budget.processorShare
  }
}
