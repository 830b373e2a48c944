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

  /// Adds a frame to a window, a new one if there is none; once this has so many frames, over so many
  /// nanoseconds, takes it away and returns it.
  static func complete(
    _ window: inout WorkWindow?, with sample: WorkSample, length: UInt64, frames: Int
  ) -> WorkWindow? {
    var sums = window ?? WorkWindow(begin: sample.time &- min(sample.work, sample.time))
    sums.add(sample)
    let isComplete =
      sample.time >= sums.begin && sample.time - sums.begin >= length && sums.frames >= frames
    window = isComplete ? nil : sums
    return isComplete ? sums : nil
  }

  private init(begin: UInt64) { self.begin = begin }

  private mutating func add(_ sample: WorkSample) {
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

  /// Whether viewers notice: the thread cannot keep up, or half of the frames are late.
  func isHeavy(_ budget: WorkBudget, at time: UInt64) -> Bool {
    exceeds(budget, at: time) || lateFrames > 1 && 2 * lateFrames >= frames
  }

  /// Whether the thread keeps up no longer at `time`, or takes more than is allowed.
  ///
  /// A thread that works for more than 0.95 of the time cannot keep up with frames that come by
  /// themselves.
  func exceeds(_ budget: WorkBudget, at time: UInt64) -> Bool {
    let length = Double(max(time - begin, 1))
    return budget.isLive && Double(work) / length > 0.95
      || budget.processorShare > 0 && Double(processorTime) / length > budget.processorShare
  }
}
