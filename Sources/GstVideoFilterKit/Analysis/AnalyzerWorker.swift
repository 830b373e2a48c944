import GstElementSupport
import Threads

/// An analyzer that gets pictures of frames on its own thread.
///
/// During an analysis, only that thread uses the other properties. Without memory for a thread, the
/// streaming thread analyzes.
final class AnalyzerWorker<Analyzer: VideoAnalyzer>: ElementWorker<Analyzer>, SideWork,
  @unchecked Sendable
{
  private let observers: AnalysisObservers
  private var thread = SideThread("analyzer")
  private var shrinker = PictureShrinker(Analyzer.picture)
  /// The limit of the picture rate, or nil if the analyzer was not set up.
  private var pace: AnalysisPace?
  /// The picture to analyze, which is not decoded yet.
  private var picture: AnalysisPicture?
  private var bus: ElementBus?
  /// The memory of the last picture, to be reused for another one.
  private var spare: [UInt8] = []

  init(_ declaration: ElementDeclaration, _ observers: AnalysisObservers) {
    self.observers = observers
    super.init(declaration)
  }

  override var isIdle: Bool { thread.isIdle }

  override func setUp(for stream: VideoStream) throws {
    try super.setUp(for: stream)
    pace = AnalysisPace(perSecond: Analyzer.picture.perSecond, of: stream)
  }

  override func tearDown() {
    // Ends the previous thread. This waits for an analysis, except if one of its observers stops
    // the element.
    thread = SideThread("analyzer")
    super.tearDown()
  }

  override func isDue(at time: Duration?) -> Bool { pace?.isDue(at: time) == true }

  override func run(_ frame: inout VideoFrame, _ bus: ElementBus) -> Bool {
    pace?.take(pictureAt: frame.timestamp)
    let bytes = spare
    spare = []
    picture = shrinker.reduce(&frame, into: bytes)
    self.bus = bus
    // Take a reference, because an observer may stop the element and release the last other
    // reference.
    bus.retainElement()
    thread.begin(self)
    return true
  }

  /// Analyzes a picture, on the analyzer's thread.
  func perform() {
    guard let bus, var picture = picture.take() else { return }
    picture.decode()
    do {
      if let result = try element.analyze(picture) { post(result, picture.timestamp, bus) }
    } catch {
      warn(error, bus)
    }
    spare = picture.bytes
    bus.releaseElement()
  }

  private func post(_ result: Analyzer.Result, _ timestamp: Duration?, _ bus: ElementBus) {
    for observer in observers.current { observer(result, timestamp) }
    let message = StructureBuilder(declaration.id)
    message.set(result.fields)
    // This cannot overflow, because the timestamp was created from 64-bit nanoseconds.
    if let timestamp { message.set("timestamp", to: UInt64(timestamp.attoseconds / 1_000_000_000)) }
    unsafe bus.postElementMessage(message.take())
  }
}

extension VideoAnalyzer {
  static func makeAnalyzerWorker(
    _ declaration: ElementDeclaration, _ observers: AnalysisObservers
  ) -> Worker {
    AnalyzerWorker<Self>(declaration, observers)
  }
}
