import InferenceTypes

/// Keeps the work on a stream within what the machine has left for it.
///
/// When frames come late or cost more than is allowed, it takes one step down: first fewer frames
/// get an inference of their own, then the network is a cheaper one. When the load falls it goes
/// back up, as far as the costs that it has seen say it can. The effect itself is never touched.
public struct LoadControl: Sendable {
  /// How much is spent on the mattes.
  public struct Level: Equatable, Sendable {
    /// Which network.
    public var quality: Quality
    /// One frame in so many gets an inference; 1 is all that the pacing allows.
    public var interval: Int

    /// Makes a level.
    public init(quality: Quality, interval: Int) {
      self.quality = quality
      self.interval = interval
    }
  }

  /// All levels, the best one first.
  public let levels: [Level]
  /// The level in force, as an index into `levels`.
  public private(set) var current = 0

  private static let second: UInt64 = 1_000_000_000
  /// Judgement is passed after so long, and so many frames.
  private static let windowLength = second / 4
  private static let leastFrames = 5
  /// How long it has to be calm before the level is raised; longer each time that was a mistake.
  private static let patience = (least: second, most: 8 * second)
  /// How long it must be calm before a level is tried although its known cost is too high.
  ///
  /// The known cost may be outdated. Viewers notice a failed change of the quality, but hardly one
  /// of the rate.
  private static let trial = (rate: 16 * second, quality: 60 * second)
  /// A raise that is followed by trouble within this time was a mistake.
  private static let probation = 3 * second
  /// A higher level has to leave some time: its inferences may take so much of a frame's time.
  private static let raisedShare = 0.85
  /// The machine has got free when a frame takes this much less than after the last step down.
  private static let relief = 0.7

  private static let settlingTime = second / 2
  private var window: WorkWindow?
  /// Nothing before this time is judged.
  private var settled: UInt64 = 0
  /// Whether a frame of the window before was late: one now and then is no trouble.
  private var hadLateFrame = false
  private var costs: [Quality: Cost] = [:]
  private var calmSince: UInt64?
  private var lastRaise: UInt64?
  private var changes = QualityChanges()
  private var patience = Self.patience.least
  /// How much slower than at its best an inference was in the last trouble.
  private var slownessInTrouble = 1.0
  /// What a frame with an inference took right after the last step down, in nanoseconds.
  private var workAfterTrouble: (quality: Quality, work: Double)?

  /// What frames cost with a network, in nanoseconds: the least that was seen, and the last.
  private struct Cost: Sendable {
    var leastWork: Double
    var work: Double
    var processorTime: Double
  }

  /// Makes a control that begins with what was asked for and may go down to `.fast`.
  ///
  /// With another network than the ladder's only the rate is lowered: `canChangeQuality` is false.
  public init(quality: Quality, canChangeQuality: Bool = true) {
    var levels = (1...3).map { Level(quality: quality, interval: $0) }
    if canChangeQuality {
      // A cheaper network for every frame costs about what the one before it does for every third.
      for cheaper in Quality.allCases.reversed() where cheaper < quality {
        levels += (2...3).map { Level(quality: cheaper, interval: $0) }
      }
    }
    self.levels = levels
  }

  /// The level in force.
  public var level: Level { levels[current] }

  /// Begins to judge anew, a while after `time`, in nanoseconds: after a change of the network, whose
  /// first frames take longer, or a pause.
  public mutating func restart(at time: UInt64) {
    window = nil
    hadLateFrame = false
    changes.notePause(at: time)
    settled = time &+ Self.settlingTime
  }

  /// Takes a frame in; returns whether the level is another one from now on.
  public mutating func add(_ sample: WorkSample, budget: WorkBudget) -> Bool {
    if sample.time < settled, settled - sample.time <= Self.settlingTime { return false }
    guard
      let window = WorkWindow.complete(
        &window, with: sample, length: Self.windowLength, frames: Self.leastFrames)
    else { return false }
    note(window)
    let before = current
    judge(window, at: sample.time, budget)
    return current != before
  }

  private mutating func note(_ window: WorkWindow) {
    guard window.inferences > 0 else { return }
    let work = Double(window.workWithInference) / Double(window.inferences)
    let processorTime = Double(window.processorTimeWithInference) / Double(window.inferences)
    // A network that is met in trouble has not shown its best: it is as slow as the one before it.
    let least = min(costs[level.quality]?.leastWork ?? work / slownessInTrouble, work)
    costs[level.quality] = Cost(leastWork: least, work: work, processorTime: processorTime)
    guard let after = workAfterTrouble, after.quality == level.quality else {
      workAfterTrouble = (level.quality, work)
      return
    }
    if work < Self.relief * after.work {
      // The machine has got free, and this is what the network takes on it.
      costs[level.quality]?.leastWork = work
      workAfterTrouble = (level.quality, work)
      slownessInTrouble = 1
      patience = Self.patience.least
    }
  }

  private mutating func judge(_ window: WorkWindow, at time: UInt64, _ budget: WorkBudget) {
    let isLate = window.lateFrames > 1 || window.lateFrames == 1 && hadLateFrame
    hadLateFrame = window.lateFrames > 0
    if isLate || window.exceeds(budget, at: time) {
      calmSince = nil
      slownessInTrouble = slowness
      if let raised = lastRaise, time &- raised < Self.probation {
        patience = min(2 * patience, Self.patience.most)
        lastRaise = nil
      }
      guard current + 1 < levels.count else { return }
      if levels[current + 1].quality != level.quality {
        guard window.isHeavy(budget, at: time) || !changes.mustStay(at: time) else { return }
        changes.noteStepDown(from: level.quality, at: time)
      }
      current += 1
      workAfterTrouble = nil
      return
    }
    changes.noteCalm(with: level.quality, at: time)
    let calmSince = self.calmSince ?? window.begin
    self.calmSince = calmSince
    guard current > 0, time - calmSince >= patience else { return }
    let interval = Double(window.frameIntervals) / Double(window.frames)
    let before = level.quality
    func mayTry(_ index: Int) -> Bool {
      let quality = levels[index].quality
      return quality == before || changes.mayRaise(to: quality, at: time)
    }
    let trial = levels[current - 1].quality == before ? Self.trial.rate : Self.trial.quality
    let isTrialDue = time - calmSince >= trial && budget.processorShare <= 0
    guard
      let higher = (0..<current).first(where: {
        mayTry($0) && fits($0, window, interval, budget)
      }) ?? (isTrialDue && mayTry(current - 1) ? current - 1 : nil)
    else { return }
    if levels[higher].quality != before { changes.noteRaise(at: time) }
    current = higher
    lastRaise = time
    self.calmSince = nil
  }

  /// How much longer than at its best an inference takes at present.
  private var slowness: Double {
    costs[level.quality].map { $0.work / max($0.leastWork, 1) } ?? 1
  }

  /// Whether the frames of a higher level can be paid for.
  private func fits(
    _ candidate: Int, _ window: WorkWindow, _ frameInterval: Double, _ budget: WorkBudget
  ) -> Bool {
    let wanted = levels[candidate]
    // What was never seen has to be tried, one step at a time.
    guard let cost = costs[wanted.quality], frameInterval > 0 else {
      return candidate == current - 1
    }
    // Frames without an inference, as they are now.
    let others = Double(max(window.frames - window.inferences, 1))
    let blend = Double(window.work &- window.workWithInference) / others
    let blendTime = Double(window.processorTime &- window.processorTimeWithInference) / others
    let peak = max(cost.leastWork * slowness, blend)
    let rest = Double(wanted.interval - 1)
    let processorTime = (cost.processorTime + rest * blendTime) / Double(wanted.interval)
    return peak <= Self.raisedShare * frameInterval
      && (budget.processorShare <= 0
        || processorTime <= 0.9 * budget.processorShare * frameInterval)
  }
}

extension Quality: Comparable {
  /// By cost, the cheapest first.
  public static func < (a: Self, b: Self) -> Bool {
    let order = Self.allCases
    return (order.firstIndex(of: a) ?? 0) < (order.firstIndex(of: b) ?? 0)
  }
}
