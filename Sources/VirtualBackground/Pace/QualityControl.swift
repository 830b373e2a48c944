import InferenceTypes

/// Chooses the best quality that the machine carries at a stream's rate and size.
///
/// It goes one step up when the next network, which was measured beside the one in use, leaves enough
/// of a frame's time. It goes one step down when frames are late, or would be soon.
package struct QualityControl: Sendable {
  /// The quality in use, or to be used as soon as it is loaded.
  package private(set) var current: Quality
  /// The quality to load and measure beside the one in use; nil when none is to be tried.
  package private(set) var candidate: Quality?
  /// Those to choose from, the cheapest first.
  private var qualities: [Quality]

  private static let second: UInt64 = 1_000_000_000
  /// Judgement is passed after so long, and so many frames.
  private static let windowLength = second / 2
  private static let leastFrames = 5
  /// The first frames with a network take longer.
  private static let settlingTime = second / 2
  /// The first step up comes so long after the first frame.
  private static let firstPatience = 2 * second
  /// The minimum time from trouble to the next step up.
  private static let patience = 10 * second
  /// The share of a frame's time that may be taken after a step up.
  ///
  /// Sinks leave 20 ms for the work: at 30 frames a second that is 0.6 of the time.
  private static let raisedShare = 0.6
  /// The same of a budget.
  private static let raisedBudget = 0.9

  private var window: WorkWindow?
  /// What frames with an inference took in the last window.
  private var last: FrameWork?
  private var budget = WorkBudget(processorShare: 0, isLive: true)
  /// Nothing before this time is judged; nil before the first frame.
  private var settled: UInt64?
  /// No step up comes before this time.
  private var mayRaiseAt: UInt64?
  /// Whether the window before was bad: one now and then is no trouble.
  private var wasBad = false
  private var changes = QualityChanges()

  /// Nanoseconds of a frame with an inference, on average.
  private struct FrameWork: Sendable {
    var work: Double
    var inference: Double
    /// Of one core, for any frame.
    var processorTime: Double
    var interval: Double
  }

  /// Makes a control that chooses among `qualities`, the cheapest first; at least one.
  ///
  /// A live stream begins with the cheapest. Any other waits for its frames, so that no cost would ever
  /// be too much: it begins with `.balanced`, or what is next to it, and goes no higher.
  package init(qualities: [Quality], isLive: Bool) {
    let cheapest = qualities.first ?? .fast
    self.qualities = qualities.filter { isLive || $0 <= max(.balanced, cheapest) }
    current = isLive ? cheapest : self.qualities.last ?? cheapest
  }

  /// How many steps below the best that is, and how many qualities there are.
  package var steps: (down: Int, count: Int) {
    (qualities.count - 1 - index, qualities.count)
  }

  private var index: Int { qualities.firstIndex(of: current) ?? 0 }

  /// Begins to judge anew, a while after `time`, in nanoseconds: after a change of the network or a
  /// pause.
  package mutating func restart(at time: UInt64) {
    window = nil
    wasBad = false
    changes.notePause(at: time)
    settled = time &+ Self.settlingTime
  }

  /// The frames that come after `time` have another size: what failed may fit now.
  package mutating func noteNewFrames(at time: UInt64) {
    restart(at: time)
    candidate = nil
    last = nil
    changes = QualityChanges()
    mayRaiseAt = time &+ Self.firstPatience
  }

  /// Takes a frame in; returns whether a cheaper quality is to be used from now on.
  ///
  /// Unless it `mayRaise`, there is no new candidate.
  package mutating func add(
    _ sample: WorkSample, budget: WorkBudget, mayRaise: Bool = true
  ) -> Bool {
    self.budget = budget
    guard let settled else {
      mayRaiseAt = sample.time &+ Self.firstPatience
      restart(at: sample.time)
      return false
    }
    guard sample.time >= settled else { return false }
    guard
      let window = WorkWindow.complete(
        &window, with: sample, length: Self.windowLength, frames: Self.leastFrames)
    else { return false }
    return judge(window, at: sample.time, mayRaise)
  }

  private mutating func judge(_ window: WorkWindow, at time: UInt64, _ mayRaise: Bool) -> Bool {
    let frames = Double(window.frames)
    let isHeavy = window.isHeavy(budget, at: time)
    if isHeavy || window.lateFrames > 1 { return noteTrouble(at: time, isHeavy: isHeavy) }
    wasBad = false
    changes.noteCalm(with: current, at: time)
    guard window.inferences > 0 else { return false }
    let inferences = Double(window.inferences)
    last = FrameWork(
      work: Double(window.workWithInference) / inferences,
      inference: Double(window.inferenceTime) / inferences,
      processorTime: Double(window.processorTime) / frames,
      interval: Double(window.frameIntervals) / frames)
    guard mayRaise, let mayRaiseAt, time >= mayRaiseAt, index + 1 < qualities.count else {
      return false
    }
    let next = qualities[index + 1]
    if changes.mayRaise(to: next, at: time) { candidate = next }
    return false
  }

  /// Steps down after two bad windows in a row.
  ///
  /// If only some frames are late, there is no step down right after another change, because
  /// viewers notice a quality change more than a few late frames.
  private mutating func noteTrouble(at time: UInt64, isHeavy: Bool) -> Bool {
    candidate = nil
    mayRaiseAt = time &+ Self.patience
    guard wasBad, index > 0, isHeavy || !changes.mustStay(at: time) else {
      wasBad = true
      return false
    }
    changes.noteStepDown(from: current, at: time)
    current = qualities[index - 1]
    restart(at: time)
    return true
  }

  /// Takes in what the inferences of a frame take with the candidate; returns whether it is to be used
  /// from `time` on.
  package mutating func takeUp(_ cost: InferenceCost, at time: UInt64) -> Bool {
    guard let quality = candidate, let last else { return false }
    candidate = nil
    let work = max(last.work - last.inference, 0) + Double(cost.time)
    // With the inference in use too: what that takes of other threads is not known apart.
    let processorTime = last.processorTime + Double(cost.processorTime)
    guard work <= Self.raisedShare * last.interval,
      budget.processorShare <= 0
        || processorTime <= Self.raisedBudget * budget.processorShare * last.interval
    else {
      changes.noteFailure(of: quality, at: time)
      return false
    }
    current = quality
    changes.noteRaise(at: time)
    restart(at: time)
    return true
  }

  /// The candidate's network is not to be had.
  package mutating func excludeCandidate() {
    qualities.removeAll { $0 == candidate }
    candidate = nil
  }
}
