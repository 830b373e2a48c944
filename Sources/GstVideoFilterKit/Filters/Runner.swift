import GstElementSupport
import Threads

/// Runs one filter or analyzer of an element: applies its properties, sets it up and passes it
/// frames.
///
/// `settings` may be used on any thread. All other members are used on one thread at a time. During
/// a stream it is the streaming thread, otherwise the thread that changes the element's state.
class Runner {
  /// Whether a frame is sent downstream.
  enum FrameFate {
    /// The frame is sent downstream.
    case goesOn
    /// The frame is dropped.
    case isDropped
  }

  let declaration: ElementDeclaration
  let settings: Monitor<ElementSettings>
  /// The value of `active` for the current frame.
  private(set) var isActive = true
  /// The stream of the current or last set-up, or nil if there was no set-up or it failed.
  private(set) var stream: VideoStream?
  /// The error of the last set-up, or nil if it succeeded or has not ended.
  private(set) var failure: (any Error)?
  /// Whether a set-up has begun and its result was not consumed yet.
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

  /// Applies the property values that users have set.
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

  /// Begins a set-up for a stream, unless the runner is already set up for it.
  ///
  /// If the runner is set up for another stream, tears it down first.
  final func getReady(for stream: VideoStream, _ bus: ElementBus, waking wait: StreamWait) {
    guard self.stream != stream else { return }
    if self.stream != nil { tearDownForNext() }
    takeSettings()
    self.stream = stream
    failure = nil
    isUnderWay = true
    begin(for: stream, bus, waking: wait)
  }

  /// Returns whether the last set-up has ended, and consumes its result.
  ///
  /// After that, `failure` is the error of the set-up if it failed.
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

  /// Resets everything except the settings after the stream has ended.
  ///
  /// Does not wait for a set-up that is running: its thread tears down when the set-up has ended.
  final func reset() {
    if stream != nil { tearDown() }
    stream = nil
    failure = nil
    isUnderWay = false
    warnings = WarningGate()
    recreate()
  }

  // `FilterRunner` and `AnalyzerRunner` override the following members.

  /// Whether the runner changes frames.
  ///
  /// If so, frames wait until it is set up.
  var changesFrames: Bool { true }
  /// Returns whether to call `run` with the current frame.
  ///
  /// `time` is the frame's timestamp.
  func wantsFrame(at time: Duration?) -> Bool { isActive }
  /// Applies `values` to the filter or analyzer.
  func applyValues() {}
  /// Begins a set-up on another thread, which calls `wait.wake()` at its end.
  func begin(for stream: VideoStream, _ bus: ElementBus, waking wait: StreamWait) {}
  /// Whether no set-up is running, so that `consumeSetUpResult` returns a result.
  ///
  /// Thread-safe.
  var isSetUpOver: Bool { true }
  /// Returns the result of the last set-up, or nil while it runs.
  func consumeSetUpResult() -> Result<Void, any Error>? { .success(()) }
  /// Releases everything that belongs to the stream.
  func tearDown() {}
  /// Releases everything that the next stream cannot use.
  func tearDownForNext() {}
  /// Recreates the filter or analyzer with the current property values.
  func recreate() {}
  /// Runs the filter or analyzer on a frame.
  ///
  /// The frame must not be changed unless `changesFrames` is true.
  func run(_ frame: inout VideoFrame, _ bus: ElementBus) -> FrameFate { .goesOn }
  /// Whether to send a frame if its memory cannot be used.
  var fateOfUnusableFrame: FrameFate { .goesOn }

  /// Returns the text of a message about a thrown error.
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
    // Use at most as many properties as were declared: `properties` may now return another list.
    properties = Array(Element.properties.prefix(initial.count))
  }

  /// Sets the properties that differ from the values that were applied last.
  mutating func apply(_ new: [PropertyValue], to element: inout Element) {
    for (index, property) in properties.enumerated() where new[index] != values[index] {
      property.property.change(new[index])?(&element)
    }
    values = new
  }

  /// Returns to the default values, which a new `Element` has.
  mutating func reset() { values = initial }
}
