import GstElementSupport
import Threads

/// Runs one filter or analyzer of an element: applies its properties, sets it up and passes it
/// frames.
///
/// `settings` is used on any thread. The rest is used on one thread at a time: the streaming thread
/// during a stream, else the one that changes the element's state.
class Runner {
  /// Whether a frame goes on downstream.
  enum FrameFate {
    case goesOn
    case isDropped
  }

  let declaration: ElementDeclaration
  let settings: Monitor<ElementSettings>
  /// The value of `active` for the current frame.
  private(set) var isActive = true
  /// The stream that it is set up for, or being set up for, or nil before that.
  private(set) var stream: VideoStream?
  /// The error of the last set-up, or nil if it succeeded or has not ended.
  private(set) var failure: (any Error)?
  private var isUnderWay = false
  /// The property values that were applied last.
  private(set) var values: [PropertyValue]
  private var version = 0
  var warnings = WarningGate()

  init(_ declaration: ElementDeclaration) {
    self.declaration = declaration
    values = declaration.defaults.values
    settings = Monitor(declaration.defaults)
  }

  /// Applies the values that users have set by now.
  final func takeSettings() {
    let changed: [PropertyValue]? = settings.withLock { settings in
      isActive = settings.isActive
      guard settings.version != version else { return nil }
      version = settings.version
      return settings.values
    }
    guard let changed else { return }
    values = changed
    applyValues()
  }

  /// Begins a set-up for a stream, unless it is set up for that one.
  ///
  /// Tears down for another one first.
  final func getReady(for stream: VideoStream, _ bus: ElementBus, waking wait: StreamWait) {
    guard self.stream != stream else { return }
    if self.stream != nil { tearDownForNext() }
    takeSettings()
    self.stream = stream
    failure = nil
    isUnderWay = true
    begin(for: stream, bus, waking: wait)
  }

  /// Whether the last set-up has ended.
  ///
  /// `failure` has its error.
  final func isSettled() -> Bool {
    guard isUnderWay else { return true }
    guard let result = consumeSetUpResult() else { return false }
    isUnderWay = false
    if case .failure(let error) = result {
      failure = error
      stream = nil
    }
    return true
  }

  /// Forgets everything but the settings: the stream is over.
  ///
  /// Does not wait for a set-up that is running. Its thread tears down after it.
  final func reset() {
    if stream != nil { tearDown() }
    stream = nil
    failure = nil
    isUnderWay = false
    warnings = WarningGate()
    recreate()
  }

  // Overridden for filters and for analyzers.

  /// Whether it changes frames, which then wait until it is set up.
  var changesFrames: Bool { true }
  /// Whether to call `run` with the current frame.
  ///
  /// `time` is its timestamp.
  func wantsFrame(at time: Duration?) -> Bool { isActive }
  /// Applies `values` to the filter or analyzer.
  func applyValues() {}
  /// Begins a set-up on another thread, which calls `wait.wake()` at its end.
  func begin(for stream: VideoStream, _ bus: ElementBus, waking wait: StreamWait) {}
  /// Whether `consumeSetUpResult` has something to do.
  ///
  /// Called on any thread.
  var isSetUpOver: Bool { true }
  /// The result of the last set-up, or nil while it runs.
  func consumeSetUpResult() -> Result<Void, any Error>? { .success(()) }
  /// Releases everything that belongs to the stream.
  func tearDown() {}
  /// Releases everything that the next stream cannot use.
  func tearDownForNext() {}
  /// Recreates the filter or analyzer with the current property values.
  func recreate() {}
  /// Runs the filter or analyzer on a frame, which it only reads unless `changesFrames`.
  func run(_ frame: inout VideoFrame, _ bus: ElementBus) -> FrameFate { .goesOn }
  /// The fate of a frame in memory that cannot be used.
  var fateOfUnusableFrame: FrameFate { .goesOn }

  /// The text of a message about a thrown error.
  final func complaint(_ error: any Error) -> String { "\(declaration.id): \(error)" }
}

/// The properties of a filter or an analyzer, and the values that were applied to it last.
struct AppliedProperties<Element: VideoElement> {
  private let properties: [FilterProperty<Element>]
  private let initial: [PropertyValue]
  private var values: [PropertyValue]

  /// Starts with the defaults, which a new `Element` has.
  init(_ declaration: ElementDeclaration) {
    initial = declaration.defaults.values
    values = initial
    // As many as were declared: `properties` may return another list by now.
    properties = Array(Element.properties.prefix(initial.count))
  }

  /// Sets the properties that differ from the values applied last.
  mutating func apply(_ new: [PropertyValue], to element: inout Element) {
    for (index, property) in properties.enumerated() where new[index] != values[index] {
      property.property.change(new[index])?(&element)
    }
    values = new
  }

  /// Starts again with the defaults, for a new `Element`.
  mutating func reset() { values = initial }
}
