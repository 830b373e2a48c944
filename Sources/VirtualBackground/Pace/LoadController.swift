import Matting

/// Adapts the cost of the mattes to the machine and the settings.
///
/// The controller evaluates one window of frames after another, and moves along a ladder of levels:
/// - It steps down when frames are late or cost too much.
/// - It steps up when the stream keeps up, and the estimated cost of the better level fits the time
///   per frame.
/// - A better quality is first loaded as `candidate` and measured next to the current network.
///
/// The effect itself never changes.
/// Not thread-safe.
package final class LoadController {
  /// The quality and the rate of the inferences.
  package struct Level: Equatable, Sendable {
    package var quality: Quality
    /// One frame in `interval` gets an inference, if the pacing allows it.
    package var interval: Int
  }

  /// The settings that define the ladder.
  package struct Policy: Equatable, Sendable {
    /// The best quality to use, or nil for the best that the machine can sustain.
    package var quality: Quality?
    /// Whether the user selected a model file, so that the quality cannot change.
    package var hasOwnModel: Bool
    /// Whether inferences may be left out, and a cheaper quality than `quality` used.
    package var isAdaptive: Bool

    /// Creates a policy.
    package init(quality: Quality?, hasOwnModel: Bool, isAdaptive: Bool) {
      (self.quality, self.hasOwnModel, self.isAdaptive) = (quality, hasOwnModel, isAdaptive)
    }
  }

  /// The durations, in nanoseconds, that apply to one kind of step.
  private struct Timing {
    /// The minimum time from an overloaded window or a step to the next step up.
    var holdTime: UInt64
    /// The time after a step up within which a step down means that the step up failed.
    ///
    /// It is also the first pause after a failure.
    var probation: UInt64
  }

  private static let second: UInt64 = 1_000_000_000
  /// The minimum length of a window, and the time after a restart that is not evaluated.
  ///
  /// The first frames with a network take longer.
  private static let windowTime = second / 2
  /// The minimum number of frames in a window, so that a single frame has little weight.
  private static let minFrames = 5
  /// The numbers of windows in a row that lower the quality: overloaded ones, and those in which
  /// fewer frames are late.
  ///
  /// Frames that wait for an inference are late. Measured with inferences of 50 ms: two windows in
  /// a row had such frames after 107 seconds, and four windows never in 240 seconds.
  private static let (heavyWindows, badWindows) = (2, 4)
  /// The maximum interval between inferences in frames, because people move too far in more.
  private static let maxInterval = 3
  /// The durations for a change of the inference rate, which viewers hardly notice.
  private static let rateTiming = Timing(holdTime: second, probation: 4 * second)
  /// The durations for a change of the quality, which viewers notice and which needs a measurement.
  private static let qualityTiming = Timing(holdTime: 10 * second, probation: 60 * second)
  /// The time from the first frame to the first step up.
  private static let firstHoldTime = 2 * second
  /// The pause after failures doubles up to this multiple of the first pause.
  private static let maxPauseFactor: UInt64 = 8
  /// The share of its time above which the thread of a live stream cannot keep up.
  private static let maxLiveShare = 0.95
  /// The mean duration of inferences, in nanoseconds, above which a live stream is overloaded.
  ///
  /// Mattes from inferences alongside the stream are then too old, although no frame is late.
  private static let maxInferenceTime = 150e6

  /// Whether inferences that are too long for a frame run alongside the stream.
  package var infersAlongside = false

  /// A level with the history of the steps up to it.
  private struct Rung {
    let level: Level
    var raisedAt: UInt64?
    /// The pause after the last failed step up, or 0 after a successful one.
    var pause: UInt64 = 0
    var mayRetryAt: UInt64 = 0

    mutating func recordFailure(at time: UInt64, _ timing: Timing) {
      pause = min(max(2 * pause, timing.probation), maxPauseFactor * timing.probation)
      mayRetryAt = time &+ pause
    }
  }

  /// The settings that the controller was created for.
  package let policy: Policy
  /// The maximum share of one core's time, or 0 for no limit.
  package var maxProcessorShare = 0.0 {
    didSet {
      // A level that failed may fit a larger budget.
      let isLarger = maxProcessorShare <= 0 || oldValue > 0 && maxProcessorShare > oldValue
      if maxProcessorShare != oldValue, isLarger { forgetFailures() }
    }
  }
  /// The quality to load and measure next to the current one, or nil if there is nothing to try.
  package private(set) var candidate: Quality?

  /// Whether frames arrive at a fixed rate, so that a thread that is always busy is too slow.
  ///
  /// A source that is not live keeps every thread busy.
  package let isLive: Bool
  /// All levels, the best one first.
  private var ladder: [Rung]
  private var current = 0
  private var lastReported: Level

  private var window: LoadWindow?
  /// The end of the time after a restart that is not evaluated, or nil after that time.
  private var restartEnd: UInt64?
  /// The last window with an inference and without overload.
  private var calmWindow: LoadWindow?
  /// The number of bad windows since the last good one.
  private var badWindows = 0
  private var losses = LossDetector()
  private var mayRaiseRateAt: UInt64 = 0
  private var mayRaiseQualityAt: UInt64 = 0
  /// The time until which the quality changes only if the stream cannot keep up.
  private var qualityHeldUntil: UInt64 = 0

  /// Creates a controller.
  ///
  /// `installed` contains the qualities with installed networks, the cheapest first.
  ///
  /// If the controller chooses the quality:
  /// - A live stream begins with the cheapest quality.
  /// - Other streams can wait for any network. They begin with `.balanced`, or the closest quality,
  ///   and use no better one.
  package init(_ policy: Policy, installed: [Quality], isLive: Bool) {
    (self.policy, self.isLive) = (policy, isLive)
    let quality = policy.quality ?? .balanced
    // If `quality` is not installed, its levels already use the network of a cheaper one.
    let isInstalled = installed.contains(quality) && !policy.hasOwnModel
    let cheaper = isInstalled ? installed.filter { $0 < quality } : []
    // A cheaper network for every frame costs about as much as a better one for every third.
    var (withEveryFrame, withSomeFrames) = ([quality], [quality] + cheaper.reversed())
    if policy.quality == nil, !policy.hasOwnModel, let cheapest = installed.first {
      withEveryFrame = installed.filter { isLive || $0 <= max(.balanced, cheapest) }.reversed()
      withSomeFrames = [cheapest]
      if isLive { current = withEveryFrame.count - 1 }
    }
    var levels = withEveryFrame.map { Level(quality: $0, interval: 1) }
    if policy.isAdaptive {
      levels += withSomeFrames.flatMap { quality in
        (2...Self.maxInterval).map { Level(quality: quality, interval: $0) }
      }
    }
    ladder = levels.map { Rung(level: $0) }
    lastReported = levels[current]
  }

  /// The current level, or the next level while its network is being loaded.
  package var level: Level { ladder[current].level }

  /// The number of steps below the best level, and the number of levels.
  package var steps: (down: Int, count: Int) { (current, ladder.count) }

  /// Returns whether the level has changed since the last call.
  package func consumeChange() -> Bool {
    defer { lastReported = level }
    return lastReported != level
  }

  /// Discards the current window, after a pause or a change of the network that ended at `time`.
  package func restart(at time: UInt64) {
    if window == nil { mayRaiseQualityAt = time &+ Self.firstHoldTime }
    window = LoadWindow(begin: time)
    restartEnd = time &+ Self.windowTime
    badWindows = 0
    losses = LossDetector()
    guard time < qualityHeldUntil else { return }
    qualityHeldUntil = time &+ Self.qualityTiming.holdTime
    mayRaiseQualityAt = max(mayRaiseQualityAt, qualityHeldUntil)
  }

  /// Discards failures because of a new frame size, for which a failed level may fit.
  package func recordNewFormat(at time: UInt64) {
    qualityHeldUntil = 0
    candidate = nil
    window = nil
    calmWindow = nil
    forgetFailures()
    restart(at: time)
  }

  /// Records a frame that was dropped because it came too late.
  package func recordDroppedFrame() { window?.droppedFrames += 1 }

  /// Records frames that never arrived.
  package func recordMissingFrames(_ frames: Int) { window?.missingFrames += frames }

  /// Records the nanoseconds for which downstream blocked the thread with a frame.
  package func recordBlocked(for time: UInt64) { window?.blockedTime &+= time }

  /// Adds a processed frame, which may change the level.
  ///
  /// Returns a lasting loss of frames, or nil.
  package func add(_ frame: FrameLoad) -> Overload? {
    guard var window else {
      restart(at: frame.time)
      return nil
    }
    if let restartEnd {
      let isOver = frame.time >= restartEnd || restartEnd - frame.time > Self.windowTime
      if isOver { self.restartEnd = nil }
      self.window = LoadWindow(begin: frame.time)
      return nil
    }
    guard frame.time >= window.begin else {
      restart(at: frame.time)
      return nil
    }
    window.add(frame)
    let isComplete =
      window.end - window.begin >= Self.windowTime && window.allFrames >= Self.minFrames
    self.window = isComplete ? LoadWindow(begin: window.end) : window
    guard isComplete else { return nil }
    let overload = losses.add(window)
    judge(window)
    return overload
  }

  private func judge(_ window: LoadWindow) {
    let isHeavy =
      isLive && Double(window.work) > Self.maxLiveShare * window.length
      || infersAlongside && hasLowerQuality
        && Double(window.inferenceTime) > Self.maxInferenceTime * Double(window.inferences)
      || maxProcessorShare > 0
        && Double(window.processorTime) > maxProcessorShare * window.length
      || window.lateFrames > 1 && 2 * window.lateFrames >= window.frames
    if isHeavy || window.lateFrames > 1 {
      stepDown(isHeavy: isHeavy, at: window.end)
      return
    }
    badWindows = 0
    guard window.inferences > 0 else { return }
    calmWindow = window
    stepUp(window)
  }

  /// Whether a step down can lead to another quality.
  ///
  /// A lower rate does not shorten inferences.
  private var hasLowerQuality: Bool {
    ladder[current...].contains { $0.level.quality != level.quality }
  }

  /// Steps down: the rate at once, the quality after several bad windows in a row.
  private func stepDown(isHeavy: Bool, at time: UInt64) {
    badWindows += 1
    candidate = nil
    mayRaiseRateAt = time &+ Self.rateTiming.holdTime
    mayRaiseQualityAt = time &+ Self.qualityTiming.holdTime
    guard current + 1 < ladder.count else { return }
    let quality = level.quality
    if ladder[current + 1].level.quality != quality {
      let isLasting = badWindows >= (isHeavy ? Self.heavyWindows : Self.badWindows)
      guard isLasting, isHeavy || time >= qualityHeldUntil else { return }
    }
    let timing = timing(ofStepTo: current)
    if let raisedAt = ladder[current].raisedAt, time &- raisedAt < timing.probation {
      ladder[current].recordFailure(at: time, timing)
    } else {
      ladder[current].pause = 0
    }
    current += 1
    if level.quality != quality { holdQuality(at: time) }
  }

  private func stepUp(_ window: LoadWindow) {
    let (time, next) = (window.end, current - 1)
    guard next >= 0, time >= ladder[next].mayRetryAt else { return }
    let wanted = ladder[next].level
    guard wanted.quality == level.quality else {
      if time >= mayRaiseQualityAt { candidate = wanted.quality }
      return
    }
    // The pixel work stays the same: only the share of inferences changes.
    let others = max(window.frames - window.inferences, 1)
    let pixelTime = min(
      Double(window.processorTime &- window.processorTimeWithInference) / Double(others),
      Double(window.processorTimeWithInference) / Double(window.inferences))
    let inferenceTime =
      Double(window.processorTimeWithInference) / Double(window.inferences) - pixelTime
    let processorTime = pixelTime + inferenceTime / Double(wanted.interval)
    let inference = Double(window.inferenceTime) / Double(window.inferences)
    guard time >= mayRaiseRateAt,
      fits(
        inference: inference / Double(wanted.interval), processorTime: processorTime, in: window,
        share: LoadWindow.reserveShare)
    else { return }
    raise(at: time)
  }

  /// Decides whether to use the network that was loaded for the candidate, from `time` on.
  ///
  /// `quality` is the quality of the loaded network, which may differ from the candidate. `cost` is
  /// its measured cost. Returns whether to use the network.
  package func adopt(_ quality: Quality?, cost: InferenceCost?, at time: UInt64) -> Bool {
    guard let candidate, quality == candidate, let cost else {
      rejectCandidate(at: time)
      return false
    }
    self.candidate = nil
    guard current > 0, let window = calmWindow else { return false }
    let wanted = ladder[current - 1].level
    // The current inferences are included, because their time on other threads is not known.
    let processorTime =
      Double(window.processorTime) / Double(window.frames)
      + Double(cost.processorTime) / Double(wanted.interval)
    guard
      fits(
        inference: Double(cost.time) / Double(wanted.interval), processorTime: processorTime,
        in: window, share: LoadWindow.sinkShare)
    else {
      recordRejection(at: time)
      return false
    }
    raise(at: time)
    return true
  }

  /// Records at `time` that the network of the candidate is not available.
  ///
  /// If the controller chooses the quality, it does not try that quality again. Otherwise, it tries
  /// the user's quality again after a pause.
  package func rejectCandidate(at time: UInt64) {
    guard policy.quality == nil else {
      candidate = nil
      if current > 0 { recordRejection(at: time) }
      return
    }
    let better = ladder[..<current].filter { $0.level.quality != candidate }
    ladder = better + ladder[current...]
    current = better.count
    candidate = nil
  }

  private func recordRejection(at time: UInt64) {
    ladder[current - 1].recordFailure(at: time, Self.qualityTiming)
    mayRaiseQualityAt = max(mayRaiseQualityAt, time &+ Self.qualityTiming.holdTime)
  }

  /// Returns whether the work fits the time per frame, or the inference may run alongside.
  ///
  /// - `inference` is the inference time of an average frame, in nanoseconds.
  /// - `processorTime` is the CPU time of an average frame, in nanoseconds.
  /// - `share` is the maximum share of a frame's time for the work.
  private func fits(
    inference: Double, processorTime: Double, in window: LoadWindow, share: Double
  ) -> Bool {
    let frameInterval = window.frameTime / Double(window.frames)
    let rest =
      (Double(window.workWithInference) - Double(window.inferenceTime))
      / Double(window.inferences)
    return
      (max(rest, 0) + inference <= share * frameInterval
      || infersAlongside && inference <= share * Self.maxInferenceTime)
      && (maxProcessorShare <= 0
        || processorTime <= LoadWindow.reserveShare * maxProcessorShare * frameInterval)
  }

  private func raise(at time: UInt64) {
    let quality = level.quality
    current -= 1
    ladder[current].raisedAt = time
    mayRaiseRateAt = time &+ Self.rateTiming.holdTime
    if level.quality != quality { holdQuality(at: time) }
  }

  /// Keeps a new quality for its hold time.
  private func holdQuality(at time: UInt64) {
    qualityHeldUntil = time &+ Self.qualityTiming.holdTime
    restart(at: time)
  }

  private func forgetFailures() {
    ladder = ladder.map { Rung(level: $0.level, raisedAt: $0.raisedAt) }
  }

  /// Returns the durations for the step between a level and the next cheaper one.
  private func timing(ofStepTo index: Int) -> Timing {
    ladder[index].level.quality == ladder[index + 1].level.quality
      ? Self.rateTiming : Self.qualityTiming
  }
}
