import GstElementSupport
import Processor
import VirtualBackground

/// The contents of the property `stats`: counts since the element started.
struct Statistics: Sendable {
  var engine = EngineStatistics()
  /// Input frames.
  var framesIn: UInt64 = 0
  /// Output frames, including those that were passed through.
  var framesOut: UInt64 = 0
  /// Frames that did not go out: they were late, or `on-failure` or `pacing` dropped them.
  var dropped: UInt64 = 0
  /// Results that were sent again.
  var repeated: UInt64 = 0
  /// The network's file, or empty without a network.
  var model = ""
  /// The quality of the network, or empty without a network.
  ///
  /// It is `model` for a file that the user named.
  var quality = ""
  /// The number of steps that `adaptive` has gone down.
  var adaptiveLevel = 0
  /// One frame in this many gets an inference, among those that `target-fps` allows.
  var inferenceInterval = 1
  var inferenceRate = Rate()
  /// Share of one core's time that the work takes.
  var processorShare = Rate()
  var presence = Presence()

  /// The property `stats`.
  ///
  /// Its ID comes after those of the settings.
  static let table = PropertyTable<Statistics>(
    [
      .structure(
        "stats", nick: "Statistics",
        "Counts since the start, nanoseconds of the last frame's stages, rates, the network in "
          + "use and the matte's coverage"
      ) { $0.makeStructure() }
    ], defaults: Statistics(), firstID: Settings.table.nextID)

  /// Makes the structure that the property's value holds.
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
      ("matte-coverage", engine.coverage),
    ]
    for (name, value) in numbers { structure.set(name, to: value) }
    structure.set("person-present", to: presence.isPresent)
    let words = [
      ("model", model), ("quality", quality), ("isa", InstructionSet.current.rawValue),
    ]
    for (name, value) in words { structure.set(name, to: value) }
    return structure
  }
}

/// The amount of something per second, measured each second.
struct Rate: Sendable {
  private static let second: UInt64 = 1_000_000_000
  /// The amount in the last whole second, or 0 before the first one ends.
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

/// Whether a person is in the picture, even if they are not detected for a moment.
struct Presence: Sendable {
  /// The minimum share of the picture that counts as a person.
  private static let minCoverage = 0.002
  /// A person who is not detected for this many nanoseconds is gone.
  private static let absenceTime: UInt64 = 1_000_000_000
  private(set) var isPresent = false
  private var lastSeen: UInt64?

  /// Records the share of the picture that a matte covers at `time`, in nanoseconds.
  mutating func record(coverage: Double, at time: UInt64) {
    if coverage >= Self.minCoverage {
      lastSeen = time
      isPresent = true
    } else if let lastSeen, time >= lastSeen, time - lastSeen >= Self.absenceTime {
      isPresent = false
    }
  }
}
