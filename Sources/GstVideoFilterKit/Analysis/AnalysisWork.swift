import CGStreamer
import GstElementSupport
import Threads

/// What the streaming thread and an analyzer's thread pass to each other.
struct AnalysisState {
  /// What users have set.
  var values: [PropertyValue] = []
  /// Whether the analyzer's thread waits for a picture.
  var wantsPicture = false
  /// What it is to look at next.
  var picture: CodedPicture?
  /// Memory for the next picture.
  var spare: [UInt8] = []
  var isEnding = false
  /// What the analyzer is to be set up for.
  var stream: VideoStream?
  /// Whether it is being set up.
  var isSettingUp = false
  /// What came of setting it up, once it is known.
  var setUp: Result<Void, any Error>?
}

/// The life of an analyzer, on its own thread.
final class AnalysisWork<Analyzer: VideoAnalyzer>: ThreadWork {
  /// Called on the analyzer's thread with a result and the timestamp of its frame.
  typealias Observer = @Sendable (Analyzer.Result, Duration?) -> Void

  private let declaration: ElementDeclaration
  private let bus: ElementBus
  private let shared: Monitor<AnalysisState>
  private let observers: Monitor<[Observer]>
  // As many as were declared, should the type say something else by now.
  private let properties: [FilterProperty<Analyzer>]
  private var applied: [PropertyValue]
  private var analyzer = Analyzer()
  /// Whether the analyzer has something to give back, and whether it may look.
  private var isUsed = false
  private var isSetUp = false
  private var warnings = WarningGate()

  init(
    declaration: ElementDeclaration, bus: ElementBus, shared: Monitor<AnalysisState>,
    observers: Monitor<[Observer]>
  ) {
    self.declaration = declaration
    self.bus = bus
    self.shared = shared
    self.observers = observers
    applied = declaration.properties.map(\.initial)
    properties = Array(Analyzer.properties.prefix(applied.count))
  }

  override func run() {
    defer { tearDown() }
    while let task = nextTask() {
      apply(task.values)
      switch task.kind {
      case .setUp(let stream): setUp(for: stream)
      case .look(let picture):
        look(at: picture.decoded())
        bus.releaseElement()
      }
    }
  }

  /// What is to be done next.
  private struct Task {
    enum Kind {
      case setUp(VideoStream)
      case look(CodedPicture)
    }

    let kind: Kind
    let values: [PropertyValue]
  }

  /// Waits for something to do; nil when the element stops.
  private func nextTask() -> Task? {
    shared.wait { shared -> Task?? in
      if shared.isEnding { return .some(nil) }
      if let stream = shared.stream {
        shared.stream = nil
        shared.isSettingUp = true
        return Task(kind: .setUp(stream), values: shared.values)
      }
      guard isSetUp else { return nil }
      guard let picture = shared.picture else {
        shared.wantsPicture = true
        return nil
      }
      shared.picture = nil
      // Whoever is told a result may stop the element and give it back. It is there now: until
      // `isEnding` is set, nobody can have.
      bus.retainElement()
      return Task(kind: .look(picture), values: shared.values)
    }
  }

  private func setUp(for stream: VideoStream) {
    tearDown()
    isUsed = true
    do {
      try analyzer.setUp(for: stream)
      isSetUp = true
      tell(.success(()))
    } catch {
      tell(.failure(error))
    }
  }

  /// Tells what came of setting it up, unless that was for a stream which is over.
  private func tell(_ outcome: Result<Void, any Error>) {
    shared.change { shared in
      shared.isSettingUp = false
      if shared.stream == nil { shared.setUp = outcome }
    }
  }

  private func tearDown() {
    if isUsed { analyzer.tearDown() }
    isUsed = false
    isSetUp = false
  }

  private func apply(_ values: [PropertyValue]) {
    for (index, property) in properties.enumerated() where values[index] != applied[index] {
      property.write(&analyzer, values[index])
    }
    applied = values
  }

  private func look(at picture: consuming AnalysisPicture) {
    do {
      if let result = try analyzer.analyze(picture) { tell(result, picture.timestamp) }
    } catch {
      if let warning = warnings.admit("\(declaration.id): \(error)") {
        bus.postWarning(.stream(warning))
      }
    }
    let bytes = picture.bytes
    shared.withLock { $0.spare = bytes }
  }

  private func tell(_ result: Analyzer.Result, _ timestamp: Duration?) {
    for observer in observers.withLock({ $0 }) { observer(result, timestamp) }
    let message = StructureBuilder(declaration.id)
    message.set(result.fields)
    if let timestamp {
      let (seconds, attoseconds) = timestamp.components
      // Made of nanoseconds, 64 bits of them: no overflow.
      message.set(
        "timestamp", to: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000)
    }
    unsafe bus.postElementMessage(message.take())
  }
}
