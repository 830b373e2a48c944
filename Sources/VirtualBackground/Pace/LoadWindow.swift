/// The measurements of one processed frame.
package struct FrameLoad: Sendable {
  /// The end of the work, in nanoseconds of a monotonic clock.
  package var time: UInt64
  /// Nanoseconds from the previous frame to this one, or 0 if not known.
  package var frameInterval: UInt64
  /// The duration of the work, in nanoseconds.
  package var work: UInt64
  /// The CPU time of the work on all threads, in nanoseconds.
  package var processorTime: UInt64
  /// The duration of the inference in nanoseconds, or nil if the frame had no inference.
  package var inferenceTime: UInt64?
  /// Frames that were reported as late since the previous measurement.
  package var lateFrames: Int

  /// Creates the measurements of a frame.
  package init(
    time: UInt64, frameInterval: UInt64, work: UInt64, processorTime: UInt64,
    inferenceTime: UInt64?, lateFrames: Int
  ) {
    (self.time, self.frameInterval, self.lateFrames) = (time, frameInterval, lateFrames)
    (self.work, self.processorTime, self.inferenceTime) = (work, processorTime, inferenceTime)
  }
}

/// The sums of the measurements in one window, with times in nanoseconds.
struct LoadWindow: Sendable {
  /// The share of a frame's time that sinks leave for the work: at 30 frames per second 20 ms.
  static let sinkShare = 0.6
  /// The share of a thread's time or of a budget above which there is little reserve.
  static let reserveShare = 0.85

  let begin: UInt64
  private(set) var end: UInt64
  private(set) var frames = 0
  private(set) var lateFrames = 0
  /// Frames that were dropped before any work because they came too late.
  var droppedFrames = 0
  /// Frames that never arrived.
  var missingFrames = 0
  private(set) var work: UInt64 = 0
  private(set) var processorTime: UInt64 = 0
  /// The time for which downstream blocked the thread.
  var blockedTime: UInt64 = 0
  private(set) var frameIntervals: UInt64 = 0
  private(set) var inferences = 0
  private(set) var workWithInference: UInt64 = 0
  private(set) var processorTimeWithInference: UInt64 = 0
  private(set) var inferenceTime: UInt64 = 0

  /// Creates an empty window that begins at a time in nanoseconds.
  init(begin: UInt64) {
    self.begin = begin
    end = begin
  }

  var length: Double { Double(max(end - begin, 1)) }
  /// The sum of the frame intervals, or the length of the window if the stream has no times.
  var frameTime: Double { frameIntervals > 0 ? Double(frameIntervals) : length }
  var allFrames: Int { frames + droppedFrames + missingFrames }

  /// Adds a frame that does not end before `begin`.
  mutating func add(_ frame: FrameLoad) {
    end = max(frame.time, begin)
    frames += 1
    lateFrames += frame.lateFrames
    work &+= frame.work
    processorTime &+= frame.processorTime
    frameIntervals &+= frame.frameInterval
    guard let inference = frame.inferenceTime else { return }
    inferences += 1
    workWithInference &+= frame.work
    processorTimeWithInference &+= frame.processorTime
    inferenceTime &+= inference
  }
}
