import GstElementSupport
import Threads

/// The functions that are called on the analyzer's thread with a result and its frame's timestamp.
typealias AnalysisObservers = Monitor<[@Sendable (any AnalysisResult, Duration?) -> Void]>

/// A filter or an analyzer, from its creation to the end of the stream.
///
/// One thread at a time uses it: the thread of a set-up or of an analysis, or the thread that uses
/// its runner. It is Sendable for this reason.
class Worker: @unchecked Sendable {
  /// Whether no analysis is running.
  var isIdle: Bool { true }
  /// Whether to send a frame if its memory cannot be used.
  var sendsUnusableFrames: Bool { true }
  /// Sets the properties that differ from the values that were applied last.
  func apply(_ values: [PropertyValue]) {}
  /// Tears down, unless nothing is set up, and sets up for a stream.
  func setUp(for stream: VideoStream) throws {}
  /// Waits for an analysis, and releases everything that belongs to the stream.
  func tearDown() {}
  /// Whether to call `run` with a frame that has this timestamp.
  func isDue(at time: Duration?) -> Bool { true }
  /// Runs the filter or analyzer on a frame, and returns whether to send the frame.
  ///
  /// An analyzer does not change the frame.
  func run(_ frame: inout VideoFrame, _ bus: ElementBus) -> Bool { true }
}

extension VideoElement {
  /// Creates a worker with a new value of this type.
  static func makeWorker(
    _ declaration: ElementDeclaration, _ observers: AnalysisObservers
  ) -> Worker {
    if let type = self as? any VideoFilter.Type { return type.makeFilterWorker(declaration) }
    if let type = self as? any VideoAnalyzer.Type {
      return type.makeAnalyzerWorker(declaration, observers)
    }
    return ElementWorker<Self>(declaration)
  }
}

/// The part of a worker that filters and analyzers have in common.
class ElementWorker<Element: VideoElement>: Worker, @unchecked Sendable {
  let declaration: ElementDeclaration
  final var element = Element()
  private var warnings = WarningGate()
  private let properties: [FilterProperty<Element>]
  /// The values that were applied last.
  private var values: [PropertyValue]
  private var isSetUp = false

  init(_ declaration: ElementDeclaration) {
    self.declaration = declaration
    values = declaration.defaults.values
    // Use at most as many properties as were declared: `properties` may now return another list.
    properties = Array(Element.properties.prefix(values.count))
  }

  final override func apply(_ new: [PropertyValue]) {
    for (index, property) in properties.enumerated() where new[index] != values[index] {
      property.property.change(new[index])?(&element)
    }
    values = new
  }

  override func setUp(for stream: VideoStream) throws {
    tearDown()
    isSetUp = true
    do {
      try element.setUp(for: stream)
    } catch {
      // Tear down, because `setUp` may have created a part of its resources before it failed.
      tearDown()
      throw error
    }
  }

  override func tearDown() {
    if isSetUp { element.tearDown() }
    isSetUp = false
  }

  /// Posts an error of the element as a warning, unless it was posted a short time ago.
  final func warn(_ error: any Error, _ bus: ElementBus) {
    // No lock may be held here, because a handler of the message may stop the element.
    let warning = warnings.admit(declaration.complaint(error))
    if let warning { bus.postWarning(.stream(warning)) }
  }
}
