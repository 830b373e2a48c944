import GstElementSupport
import Threads

/// One filter or analyzer at work in an element: its settings, its life and its frames.
///
/// `settings` serves any thread. The rest is used on one thread at a time: the streaming thread
/// while frames come, the one that changes the element's state while none do.
class Runner {
  /// What users set.
  struct PropertySettings {
    var values: [PropertyValue]
    var isActive = true
    /// Counts the changes of `values`.
    var version = 0
  }

  /// What became of a frame.
  enum FrameFate {
    case goesOn
    case isDropped
  }

  let declaration: ElementDeclaration
  let settings: Monitor<PropertySettings>
  /// Whether it is to work on the frame at hand, or on the next one.
  private(set) var isActive = true
  /// What it is set up for, or is about to be; nil when it is not.
  private(set) var stream: VideoStream?
  /// Why it could not be set up; nil unless that was tried last.
  private(set) var failure: (any Error)?
  private var isUnderWay = false
  /// The values that the filter or analyzer has.
  private(set) var values: [PropertyValue]
  private var version = 0
  var warnings = WarningGate()

  init(_ declaration: ElementDeclaration) {
    self.declaration = declaration
    values = declaration.properties.map(\.initial)
    settings = Monitor(PropertySettings(values: values))
  }

  /// Takes what users have set by now.
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

  /// Begins to get ready for a stream, unless it has already; what it took for another is given back
  /// before.
  final func getReady(for stream: VideoStream, _ bus: ElementBus, waking wait: StreamWait) {
    guard self.stream != stream else { return }
    if self.stream != nil { giveBackForNext() }
    takeSettings()
    self.stream = stream
    failure = nil
    isUnderWay = true
    begin(for: stream, bus, waking: wait)
  }

  /// Whether it is ready, or has turned out not to be able to get so: `failure` says why.
  final func isSettled() -> Bool {
    guard isUnderWay else { return true }
    guard let outcome = takeOutcome() else { return false }
    isUnderWay = false
    if case .failure(let error) = outcome {
      failure = error
      stream = nil
    }
    return true
  }

  /// Forgets everything but the settings: the stream is over.
  ///
  /// Does not wait for what is being set up: that is left, and given back by whoever does it.
  final func reset() {
    if stream != nil { giveBack() }
    stream = nil
    failure = nil
    isUnderWay = false
    warnings = WarningGate()
    startAnew()
  }

  // What kinds of runners do in their own way.

  /// Whether frames come out of it other than they were, so that they wait until it is set up.
  var changesFrames: Bool { true }
  /// Whether it wants the frame at hand; `time` is its timestamp, if it has one.
  func wantsFrame(at time: Duration?) -> Bool { isActive }
  func applyValues() {}
  /// Begins to get ready on another thread, which wakes who waits when it is done.
  func begin(for stream: VideoStream, _ bus: ElementBus, waking wait: StreamWait) {}
  /// Whether `takeOutcome` has something to do; on any thread.
  var isSetUpOver: Bool { true }
  /// What came of what was begun last; nil as long as it goes on.
  func takeOutcome() -> Result<Void, any Error>? { .success(()) }
  /// Gives back what it took for the stream.
  func giveBack() {}
  /// Gives back what the next stream cannot use.
  func giveBackForNext() {}
  func startAnew() {}
  /// Works on a frame; only reads it unless `changesFrames`.
  func run(_ frame: inout VideoFrame, _ bus: ElementBus) -> FrameFate { .goesOn }
  /// What becomes of a frame whose memory cannot be used.
  var fateOfUnusableFrame: FrameFate { .goesOn }

  /// What is posted when something was thrown.
  final func complaint(_ error: any Error) -> String { "\(declaration.id): \(error)" }
}
