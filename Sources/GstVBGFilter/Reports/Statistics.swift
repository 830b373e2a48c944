import GstElementSupport
import Processor
import VirtualBackground

/// The contents of the property `stats`: counts since the element started.
struct Statistics: Sendable {
  var engine = EngineStatistics()
  /// The number of input frames.
  var framesIn: UInt64 = 0
  /// The number of output frames, including those that were passed through.
  var framesOut: UInt64 = 0
  /// The number of dropped frames: they were late, or `on-failure` or `pacing` dropped them.
  var dropped: UInt64 = 0
  /// The number of frames for which the last result was sent again.
  var repeated: UInt64 = 0
  /// The network's file, or empty without a network.
  var model = ""
  /// The quality of the network, or empty without a network.
  ///
  /// It is `model` for a file that the user named.
  var quality = ""
  /// The number of steps by which `adaptive` has lowered the cost.
  var adaptiveLevel = 0
  /// One frame in this many gets an inference, among those that `target-fps` allows.
  var inferenceInterval = 1
  /// Inferences per second.
  var inferenceRate = Rate()
  /// Processor time per second: the share of one core that the element uses.
  var processorShare = Rate()
  var presence = Presence()

  /// The table of the property `stats`, with an ID that follows the IDs of the settings.
  static let table = PropertyTable<Statistics>(
    [
      .structure(
        "stats", nick: "Statistics",
        "Counts since the start, nanoseconds of the last frame's stages, rates, the network in "
          + "use and the matte's coverage"
      ) { $0.makeStructure() }
    ], defaults: Statistics(), firstID: Settings.table.nextID)

  /// Creates the structure that is the value of the property.
  func makeStructure() -> StructureBuilder {
    let structure = StructureBuilder("vbgfilter-stats")
    let counts: [(String, UInt64)] = [
      ("frames-in", framesIn), ("frames-out", framesOut), ("dropped", dropped),
      ("repeated", repeated), ("inferences", engine.inferences), ("failures", engine.failures),
      ("prepare-time", engine.prepareTime), ("inference-time", engine.inferenceTime),
      ("matte-time", engine.matteTime), ("composite-time", engine.compositeTime),
      ("adaptive-level", UInt64(adaptiveLevel)), ("inference-interval", UInt64(inferenceInterval)),
    ]
    for (name, value) in counts { structure.set(name, to: value) }
    let numbers = [
      ("inference-rate", inferenceRate.perSecond), ("cpu-share", processorShare.perSecond),
      ("matte-coverage", engine.coverage), ("region-x", engine.region.x),
      ("region-y", engine.region.y), ("region-size", engine.region.size),
    ]
    for (name, value) in numbers { structure.set(name, to: value) }
    structure.set("person-present", to: presence.isPresent)
    structure.set("model", to: model)
    structure.set("quality", to: quality)
    structure.set("isa", to: InstructionSet.current.rawValue)
    return structure
  }
}

/// An amount per second, measured over intervals of at least a second.
struct Rate: Sendable {
  fileprivate static let second: UInt64 = 1_000_000_000
  /// The amount per second in the last complete interval, or 0 before the first one ends.
  private(set) var perSecond = 0.0
  private var begin: UInt64?
  private var sum = 0.0

  /// Adds an amount at `time`, in nanoseconds of a monotonic clock.
  mutating func add(_ amount: Double, at time: UInt64) {
    let begin = begin ?? time
    self.begin = begin
    if time >= begin, time - begin >= Self.second {
      perSecond = sum * Double(Self.second) / Double(time - begin)
      self.begin = time
      sum = 0
    }
    sum += amount
  }
}

/// Decides whether a person is in the picture: for a second after each detection, because some
/// detections are missed.
struct Presence: Sendable {
  /// The minimum share of the picture that a person covers.
  private static let minCoverage = 0.002
  /// Whether a person is in the picture.
  private(set) var isPresent = false
  /// The time of the last detection, in nanoseconds.
  private var lastSeen: UInt64?

  /// Records the share of the picture that a matte covers at `time`, in nanoseconds.
  mutating func record(coverage: Double, at time: UInt64) {
    if coverage >= Self.minCoverage {
      lastSeen = time
      isPresent = true
    } else if let lastSeen, time >= lastSeen, time - lastSeen >= Rate.second {
      isPresent = false
    }
  }
}

/// The lateness of frames, as downstream reports it in quality-of-service events.
struct Lateness: Sendable {
  /// The time from one frame to the next, in nanoseconds.
  ///
  /// A frame counts as late if its delay is more than an eighth of this time. The limit is low
  /// because sinks that draw into windows drop frames that are 5 ms late.
  var frameInterval: UInt64 = 33_333_333
  /// The number of frames that were late or dropped, since `frames` was last reset.
  var frames = 0
  /// The lateness of the last frame in nanoseconds, or negative if it was early.
  private(set) var jitter: Int64 = 0
  /// The ratio of the current rate to the rate that downstream can handle, from the last event.
  private(set) var proportion = 1.0

  /// Records a quality-of-service event.
  mutating func record(jitter: Int64, proportion: Double) {
    self.jitter = jitter
    self.proportion = proportion
    if jitter > Int64(clamping: frameInterval / 8) { frames += 1 }
  }
}
