import CGStreamer

/// What the streaming thread and an analyzer's thread pass to each other.
struct AnalysisDesk {
  /// What users have set.
  var values: [PropertyValue] = []
  /// Whether the analyzer's thread waits for a picture.
  var wantsPicture = false
  /// What it is to look at next.
  var picture: CodedPicture?
  /// Memory for the next picture.
  var spare: [UInt8] = []
  var isEnding = false
  /// Whether somebody waits for the analyzer to be set up, and tells what is wrong.
  var isWaitedFor = false
  /// What came of setting it up, once it is known.
  var setUp: Result<Void, any Error>?
}

/// What an analyzer's thread does; without a generic parameter, so that a C function can call it.
class AnalysisThread {
  func run() {}
}

/// The life of an analyzer, on its own thread.
final class AnalysisWork<Analyzer: VideoAnalyzer>: AnalysisThread {
  private let declaration: ElementDeclaration
  private let stream: VideoStream
  private let bus: ElementBus
  private let desk: Monitor<AnalysisDesk>
  private let observers: Monitor<[AnalyzerRunner<Analyzer>.Observer]>
  // As many as were declared, should the type say something else by now.
  private let properties: [FilterProperty<Analyzer>]
  private var applied: [PropertyValue]
  private var analyzer = Analyzer()
  private var warnings = WarningGate()

  init(
    declaration: ElementDeclaration, stream: VideoStream, bus: ElementBus,
    desk: Monitor<AnalysisDesk>, observers: Monitor<[AnalyzerRunner<Analyzer>.Observer]>
  ) {
    self.declaration = declaration
    self.stream = stream
    self.bus = bus
    self.desk = desk
    self.observers = observers
    applied = declaration.properties.map(\.initial)
    properties = Array(Analyzer.properties.prefix(applied.count))
  }

  override func run() {
    // Whoever is told a result may stop the element and give it back.
    bus.holdElement()
    defer { bus.releaseElement() }
    apply(desk.withLock { $0.values })
    defer { analyzer.tearDown() }
    do {
      try analyzer.setUp(for: stream)
      desk.change { $0.setUp = .success(()) }
    } catch {
      desk.change { $0.setUp = .failure(error) }
      if !desk.withLock({ $0.isWaitedFor }) { bus.postError("\(declaration.id): \(error)") }
      return
    }
    while let (picture, values) = nextPicture() {
      apply(values)
      look(at: picture.decoded())
    }
  }

  /// Waits for a picture; nil when the stream is over.
  private func nextPicture() -> (CodedPicture, [PropertyValue])? {
    desk.wait { desk -> (CodedPicture, [PropertyValue])?? in
      if desk.isEnding { return .some(nil) }
      guard let picture = desk.picture else {
        desk.wantsPicture = true
        return nil
      }
      desk.picture = nil
      return .some((picture, desk.values))
    }
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
      warnings.postWarning("\(declaration.id): \(error)", on: bus)
    }
    let bytes = picture.bytes
    desk.withLock { $0.spare = bytes }
  }

  private func tell(_ result: Analyzer.Result, _ timestamp: Duration?) {
    for observer in observers.withLock({ $0 }) { observer(result, timestamp) }
    let message = GstStructureBuilder(declaration.id)
    message.set(result.fields)
    if let timestamp {
      let (seconds, attoseconds) = timestamp.components
      // Made of nanoseconds, 64 bits of them: no overflow.
      message.set(
        "timestamp", toTime: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000)
    }
    unsafe bus.postElementMessage(message.take())
  }
}
