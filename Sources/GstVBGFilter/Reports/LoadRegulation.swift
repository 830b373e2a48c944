import InferenceTypes
import VirtualBackground

/// What keeps the work on a stream within bounds: a `QualityControl` where the settings leave the
/// quality to the element, and a `LoadControl` where they are adaptive.
///
/// With both, one frame in two or three gets an inference only once the quality is the cheapest.
struct LoadRegulation {
  private let quality: Settings.QualityChoice
  private let hasModel: Bool
  private let isAdaptive: Bool
  private var choice: QualityControl?
  private var control: LoadControl?
  /// What was in force when the application was told last.
  private var told: LoadControl.Level

  /// Begins with what the settings ask for; nil where they leave nothing to regulate.
  ///
  /// `qualities` are those whose networks are installed, the cheapest first.
  init?(_ settings: Settings, qualities: [Quality], isLive: Bool) {
    quality = settings.quality
    hasModel = settings.model != nil
    isAdaptive = settings.adaptive
    if settings.choosesQuality, !qualities.isEmpty {
      choice = QualityControl(qualities: qualities, isLive: isLive)
    }
    if settings.adaptive {
      let best = choice == nil ? settings.quality.quality : qualities[0]
      control = LoadControl(
        quality: best, canChangeQuality: settings.model == nil && choice == nil)
    }
    guard choice != nil || control != nil else { return nil }
    told = LoadControl.Level(quality: settings.quality.quality, interval: 1)
    told = level
  }

  /// Whether this is about what the settings ask for.
  func serves(_ settings: Settings) -> Bool {
    quality == settings.quality && hasModel == (settings.model != nil)
      && isAdaptive == settings.adaptive
  }

  /// What is in force.
  var level: LoadControl.Level {
    var level = control?.level ?? LoadControl.Level(quality: quality.quality, interval: 1)
    if let choice { level.quality = choice.current }
    return level
  }
  /// How many steps down that is, and of how many.
  var steps: (down: Int, count: Int) {
    let rate = control.map { (down: $0.current, count: $0.levels.count) } ?? (down: 0, count: 1)
    guard let choice else { return rate }
    return (choice.steps.down + rate.down, choice.steps.count - 1 + rate.count)
  }
  /// The quality whose network is to be loaded and measured; nil when none is to be tried.
  var candidate: Quality? { choice?.candidate }

  /// Passes no judgement on what was before a time in nanoseconds, nor on what comes right after.
  mutating func pause(at time: UInt64) {
    choice?.restart(at: time)
    control?.restart(at: time)
  }

  /// Frames of another size come after a time in nanoseconds.
  mutating func noteNewFrames(at time: UInt64) {
    choice?.noteNewFrames(at: time)
    control?.restart(at: time)
  }

  /// Takes a frame in.
  mutating func add(_ sample: WorkSample, budget: WorkBudget) {
    let isAtFullRate = control?.current ?? 0 == 0
    if choice?.add(sample, budget: budget, mayRaise: isAtFullRate) == true {
      control?.restart(at: sample.time)
    }
    if let steps = choice?.steps, steps.down + 1 < steps.count { return }
    _ = control?.add(sample, budget: budget)
  }

  /// Takes in the network that came for the candidate, at a time in nanoseconds; returns whether it is to
  /// be used.
  mutating func takeUp(quality: Quality?, cost: InferenceCost?, at time: UInt64) -> Bool {
    guard let candidate, quality == candidate, let cost else {
      choice?.excludeCandidate()
      return false
    }
    guard choice?.takeUp(cost, at: time) == true else { return false }
    control?.restart(at: time)
    return true
  }

  /// No network came for the candidate.
  mutating func excludeCandidate() {
    choice?.excludeCandidate()
  }

  /// Whether something else is in force than at the last call.
  mutating func takeChange() -> Bool {
    defer { told = level }
    return told != level
  }
}

/// What downstream says about the times of the frames that it got, on threads of its own.
struct Lateness: Sendable {
  /// A frame that is later than an eighth of this is late, in nanoseconds: sinks that draw into windows
  /// drop what is 5 ms late.
  var frameInterval: UInt64 = 33_333_333
  /// Frames that were late since the last look.
  private(set) var frames = 0
  /// How late the last frame was, in nanoseconds; negative when it was early.
  private(set) var jitter: Int64 = 0
  /// How much faster frames would have to come, as a quality-of-service event has it.
  private(set) var proportion = 1.0

  /// Takes in what an event says.
  mutating func note(jitter: Int64, proportion: Double) {
    self.jitter = jitter
    self.proportion = proportion
    if jitter > Int64(clamping: frameInterval / 8) { frames += 1 }
  }

  /// Takes in a frame that came so late that it was dropped.
  mutating func noteDrop() {
    frames += 1
  }

  /// The number of late frames since the last call.
  mutating func takeFrames() -> Int {
    defer { frames = 0 }
    return frames
  }
}
