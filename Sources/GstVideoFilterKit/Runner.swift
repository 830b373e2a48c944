/// One filter or analyzer at work in an element: its settings, its life and its frames.
///
/// `settings` serves any thread. The rest is used on one thread at a time: the streaming thread
/// while frames come, the one that changes the element's state while none do, and in between the
/// thread that sets the runner up beside the stream, which nobody else touches it during.
class Runner {
  /// What users set.
  struct Settings {
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
  let settings: Monitor<Settings>
  /// Whether it is to work on the frame at hand, or on the next one.
  private(set) var isActive = true
  /// What it was set up for; nil when it is not.
  private(set) var stream: VideoStream?
  /// The values that the filter or analyzer has.
  private(set) var values: [PropertyValue]
  private var version = 0
  var warnings = WarningGate()

  init(_ declaration: ElementDeclaration) {
    self.declaration = declaration
    values = declaration.properties.map(\.initial)
    settings = Monitor(Settings(values: values))
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

  /// Gets ready for a stream, unless it is already; gives back before that what it took for
  /// another.
  ///
  /// What gets ready on a thread of its own is waited for only when nobody else waits: beside the
  /// stream.
  final func setUp(
    for stream: VideoStream, _ bus: ElementBus, besideStream isBeside: Bool = false
  ) throws {
    guard self.stream != stream else { return }
    if self.stream != nil {
      self.stream = nil
      giveBackForNext()
    }
    takeSettings()
    try prepare(for: stream, bus, waiting: isBeside)
    self.stream = stream
  }

  /// Gives back what it took, if it took anything.
  final func tearDown() {
    guard stream != nil else { return }
    stream = nil
    giveBack()
  }

  /// Forgets everything but the settings: the stream is over.
  final func reset() {
    tearDown()
    warnings = WarningGate()
    startAnew()
  }

  // What kinds of runners do in their own way.

  /// Whether frames come out of it other than they were.
  var changesFrames: Bool { true }
  /// Whether it wants the frame at hand; `time` is its timestamp, if it has one.
  func wantsFrame(at time: Duration?) -> Bool { isActive }
  func applyValues() {}
  func prepare(for stream: VideoStream, _ bus: ElementBus, waiting: Bool) throws {}
  func giveBack() {}
  /// Gives back what the next stream cannot use.
  func giveBackForNext() { giveBack() }
  /// Whether it has turned out that it cannot work on this stream, as was told already.
  var hasFailed: Bool { false }
  func startAnew() {}
  /// Works on a frame; only reads it unless `changesFrames`.
  func run(_ frame: inout VideoFrame, _ bus: ElementBus) -> FrameFate { .goesOn }
  /// What becomes of a frame whose memory cannot be used.
  var fateOfUnusableFrame: FrameFate { .goesOn }

  /// What is posted when something was thrown.
  final func complaint(_ error: any Error) -> String { "\(declaration.id): \(error)" }
}
