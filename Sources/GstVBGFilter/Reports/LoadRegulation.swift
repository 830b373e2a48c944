import InferenceTypes
import VirtualBackground

/// A `LoadControl` for what the settings ask for.
struct LoadRegulation {
  private let quality: Quality
  private let hasModel: Bool
  private var control: LoadControl

  /// Begins with what the settings ask for.
  init(_ settings: Settings) {
    quality = settings.quality
    hasModel = settings.model != nil
    control = LoadControl(quality: settings.quality, canChangeQuality: settings.model == nil)
  }

  /// Whether this is about what the settings ask for.
  func serves(_ settings: Settings) -> Bool {
    quality == settings.quality && hasModel == (settings.model != nil)
  }

  /// What is in force.
  var level: LoadControl.Level { control.level }
  /// How many steps down that is, and of how many.
  var steps: (down: Int, count: Int) { (control.current, control.levels.count) }

  /// Passes no judgement on what was before a time in nanoseconds, nor on what comes right after.
  mutating func pause(at time: UInt64) {
    control.restart(at: time)
  }

  /// Takes a frame in; returns whether something else is in force from now on.
  mutating func add(_ sample: LoadControl.Sample, budget: LoadControl.Budget) -> Bool {
    control.add(sample, budget: budget)
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
