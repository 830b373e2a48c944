import PixelTypes
import Threads

/// The time at which a matte from an inference alongside the stream is used.
public enum MatteArrival: Equatable, Sendable {
  /// As soon as it is finished.
  case whenFinished
  /// After a number of frames, as if this was the duration of the inference.
  ///
  /// The mattes then do not depend on the speed of the machine, for tests and measurements.
  case afterFrames(Int)
}

/// Runs the inferences of one pipeline alongside its stream, one at a time.
///
/// Used on the streaming thread. While `isRunning`, that thread must use only the maker's
/// constants.
final class SideInference {
  /// The stream waits for inferences that take at most a frame interval divided by this.
  ///
  /// At 30 frames per second that is 11 ms. With 7 ms of other work for 720p, a frame
  /// stays below 20 ms.
  private static let streamDivisor: UInt64 = 3
  /// A new measurement has the weight of one in this many in the expected cost.
  private static let costDivisor: UInt64 = 4

  private let maker: MatteMaker
  private let thread: SideThread
  private let arrival: MatteArrival
  /// The job, or nil before the first one.
  private var job: SideJob?
  /// Whether a job has begun and was not taken.
  private(set) var isRunning = false
  private var began: UInt64 = 0
  private var framesSinceBegin = 0
  /// The usual duration of an inference with its matte in nanoseconds, or 0 if unknown.
  private var usualCost: UInt64 = 0

  init(maker: MatteMaker, thread: SideThread, arrival: MatteArrival) {
    (self.maker, self.thread, self.arrival) = (maker, thread, arrival)
  }

  deinit { discardInference() }

  /// Returns whether inferences would hold up the frames of a live stream.
  func isUseful(at interval: UInt64) -> Bool {
    cost(at: interval) > interval / Self.streamDivisor
  }

  /// Returns the expected duration of an inference, for frames that are `interval` apart.
  func cost(at interval: UInt64) -> UInt64 {
    if case .afterFrames(let count) = arrival { return UInt64(count) &* interval }
    return usualCost
  }

  /// Returns the expected time until the running inference has finished.
  func rest(at interval: UInt64) -> UInt64 {
    if case .afterFrames(let count) = arrival {
      return UInt64(max(count - framesSinceBegin, 0)) &* interval
    }
    let passed = SystemClock.time &- began
    return usualCost > passed ? usualCost - passed : 0
  }

  /// Records the duration of an inference with its matte, in nanoseconds.
  func record(cost: UInt64) {
    let parts = Self.costDivisor
    usualCost = usualCost == 0 ? cost : usualCost / parts * (parts - 1) + cost / parts
  }

  /// Begins an inference for a copy of `frame`, an upright frame in full size.
  ///
  /// `shown` is the matte that the stream shows for this frame, or nil if it hides the frame.
  func begin(_ input: MatteInput, of frame: Frame, shown: Raster<UInt8>?) {
    let job = job ?? SideJob(maker: maker, frame: frame, input: input)
    self.job = job
    job.store(input, frame, shown: shown)
    isRunning = true
    began = SystemClock.time
    framesSinceBegin = 0
    thread.begin(job)
  }

  /// Counts a frame, and returns the job if its matte can be used, which makes the maker available.
  func takeFinished() -> SideJob? {
    framesSinceBegin += 1
    guard isRunning else { return nil }
    switch arrival {
    case .whenFinished: return thread.isIdle ? wait() : nil
    case .afterFrames(let count): return framesSinceBegin >= count ? wait() : nil
    }
  }

  /// Waits for the job and returns it, which makes the maker available.
  func wait() -> SideJob? {
    guard isRunning else { return nil }
    thread.waitUntilIdle()
    isRunning = false
    if let job, job.failure == nil { record(cost: job.stages.total) }
    return job
  }

  /// Waits for the job and drops its matte.
  func discardInference() { if wait()?.failure != nil { maker.reset() } }
}

/// An inference alongside the stream, and a copy of its frame.
///
/// Safety: Sendable because the side thread uses the job and its maker from `SideThread.begin`
/// until the thread is idle, and the streaming thread at other times.
final class SideJob: SideWork, @unchecked Sendable {
  private let maker: MatteMaker
  private let frame: FrameCopy
  /// The copy of the reduced frame, or nil if that is the frame itself.
  private let picture: FrameCopy?
  /// The parameters of the matte, with the copied picture.
  private(set) var input: MatteInput
  /// The matte with which the frame was shown.
  private let shown: Raster<UInt8>
  /// Whether the frame was shown.
  private(set) var wasShown = false

  /// The error of the inference, or nil if there is a matte.
  private(set) var failure: SegmentationError?
  /// The durations of the stages, and the CPU time of the job.
  private(set) var stages = StageClock()

  init(maker: MatteMaker, frame: Frame, input: MatteInput) {
    (self.maker, self.input) = (maker, input)
    self.frame = FrameCopy(sizeOf: frame)
    picture = input.picture.luma.width == frame.luma.width ? nil : FrameCopy(sizeOf: input.picture)
    shown = Raster(sizeOf: maker.matte.samples.plane)
  }

  /// Copies a frame and the matte with which it is shown.
  func store(_ input: MatteInput, _ frame: Frame, shown: Raster<UInt8>?) {
    self.frame.store(frame)
    picture?.store(input.picture)
    self.input = input
    self.input.picture = picture?.frame ?? self.frame.frame
    wasShown = shown != nil
    if let shown { self.shown.store(shown.plane) }
  }

  func perform() {
    let before = SystemClock.computed
    failure = nil
    stages = StageClock()
    do throws(SegmentationError) {
      try maker.makeMatte(for: input, of: frame.frame, clock: &stages)
    } catch {
      failure = error
    }
    stages.helperTime &+= SystemClock.computed &- before
  }

  /// Blends the matte with which the frame was shown with its inferred matte, and returns it.
  func blended() -> Raster<UInt8> {
    MatteWarp.approach(shown, to: maker.matte.samples)
    return shown
  }
}
