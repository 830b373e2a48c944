import GstElementSupport
import Threads

/// The state that the streaming thread and an analyzer's thread share.
struct AnalysisState {
  /// The property values that users have set.
  var values: [PropertyValue] = []
  /// Whether the analyzer's thread waits for a picture.
  var wantsPicture = false
  /// The next picture to analyze.
  var picture: CodedPicture?
  /// The memory of the last picture, to be reused for another one.
  var spare: [UInt8] = []
  /// Whether the analyzer's thread must end.
  var isEnding = false
  /// The stream to set the analyzer up for, or nil if the set-up has begun.
  var stream: VideoStream?
  /// Whether a set-up is running.
  var isSettingUp = false
  /// The result of the last set-up, or nil until there is one.
  var setUp: Result<Void, any Error>?
}

/// The work of an analyzer's thread: sets the analyzer up, and analyzes pictures.
///
/// Sendable because only that thread uses the object after `init`.
final class AnalysisWork<Analyzer: VideoAnalyzer>: @unchecked Sendable {
  /// A function that is called on the analyzer's thread with a result and its frame's timestamp.
  typealias Observer = @Sendable (Analyzer.Result, Duration?) -> Void

  private let declaration: ElementDeclaration
  private let bus: ElementBus
  private let shared: Monitor<AnalysisState>
  private let observers: Monitor<[Observer]>
  private var properties: AppliedProperties<Analyzer>
  private var analyzer = Analyzer()
  /// Whether `setUp` was called, and `tearDown` was not called since.
  private var isUsed = false
  /// Whether the last `setUp` succeeded, and `tearDown` was not called since.
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
    properties = AppliedProperties(declaration)
  }

  /// Sets the analyzer up and passes it pictures until the element stops.
  func run() {
    defer { tearDown() }
    while let task = nextTask() {
      properties.apply(task.values, to: &analyzer)
      switch task.kind {
      case .setUp(let stream): setUp(for: stream)
      case .analyze(let picture):
        analyze(picture.decoded())
        bus.releaseElement()
      }
    }
  }

  /// One step of the thread, with the property values for it.
  private struct Task {
    enum Kind {
      case setUp(VideoStream)
      case analyze(CodedPicture)
    }

    let kind: Kind
    let values: [PropertyValue]
  }

  /// Waits for the next step and returns it, or nil if the element stops.
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
      // Take a reference, because an observer may stop the element and release the last other
      // reference. The element exists at this point, because `isEnding` is not set.
      bus.retainElement()
      return Task(kind: .analyze(picture), values: shared.values)
    }
  }

  private func setUp(for stream: VideoStream) {
    tearDown()
    isUsed = true
    do {
      try analyzer.setUp(for: stream)
      isSetUp = true
      record(.success(()))
    } catch {
      record(.failure(error))
    }
  }

  /// Stores the result of a set-up, unless it was for an earlier stream.
  private func record(_ result: Result<Void, any Error>) {
    shared.change { shared in
      shared.isSettingUp = false
      if shared.stream == nil { shared.setUp = result }
    }
  }

  private func tearDown() {
    if isUsed { analyzer.tearDown() }
    isUsed = false
    isSetUp = false
  }

  private func analyze(_ picture: consuming AnalysisPicture) {
    do {
      if let result = try analyzer.analyze(picture) { post(result, picture.timestamp) }
    } catch {
      if let warning = warnings.admit("\(declaration.id): \(error)") {
        bus.postWarning(.stream(warning))
      }
    }
    let bytes = picture.bytes
    shared.withLock { $0.spare = bytes }
  }

  private func post(_ result: Analyzer.Result, _ timestamp: Duration?) {
    for observer in observers.withLock({ $0 }) { observer(result, timestamp) }
    let message = StructureBuilder(declaration.id)
    message.set(result.fields)
    if let timestamp {
      let (seconds, attoseconds) = timestamp.components
      // This cannot overflow, because the timestamp was created from 64-bit nanoseconds.
      message.set(
        "timestamp", to: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000)
    }
    unsafe bus.postElementMessage(message.take())
  }
}
