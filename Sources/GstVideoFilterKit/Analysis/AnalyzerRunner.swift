import GstElementSupport
import Threads

/// Runs an analyzer: passes pictures of frames to the analyzer's thread.
final class AnalyzerRunner<Analyzer: VideoAnalyzer>: Runner {
  let observers = Monitor<[AnalysisWork<Analyzer>.Observer]>([])
  // Each thread has its own state, because the previous thread may still be ending.
  private var shared = Monitor(AnalysisState())
  private var shrinker = PictureShrinker(Analyzer.picture)
  /// The limit of the picture rate, or nil if the runner is not set up.
  private var pace: AnalysisPace?
  /// The analyzer's thread, or nil if the runner is not set up.
  private var thread: DedicatedThread?

  init(_ type: Analyzer.Type, _ declaration: ElementDeclaration) {
    super.init(declaration)
    shared.withLock { $0.values = values }
  }

  override var changesFrames: Bool { false }

  override func wantsFrame(at time: Duration?) -> Bool {
    isActive && pace?.isDue(at: time) == true && shared.withLock { $0.wantsPicture }
  }

  override func applyValues() {
    shared.withLock { [values] in $0.values = values }
  }

  override func begin(for stream: VideoStream, _ bus: ElementBus, waking wait: StreamWait) {
    pace = AnalysisPace(perSecond: Analyzer.picture.perSecond, of: stream)
    if thread == nil { startThread(bus) }
    shared.change { [values, thread] shared in
      shared.values = values
      shared.stream = stream
      shared.setUp = thread == nil ? .failure(NoThread()) : nil
    }
  }

  override func consumeSetUpResult() -> Result<Void, any Error>? {
    let result = shared.withLock { $0.setUp }
    if case .failure = result { tearDown() }
    return result
  }

  private func startThread(_ bus: ElementBus) {
    shared = Monitor(AnalysisState())
    let work = AnalysisWork<Analyzer>(
      declaration: declaration, bus: bus, shared: shared, observers: observers)
    thread = DedicatedThread("analyzer") { work.run() }
  }

  private struct NoThread: Error, CustomStringConvertible {
    var description: String { "a thread for the analysis could not be started" }
  }

  /// Discards the pending picture, but keeps the thread.
  ///
  /// Ending the thread would make the stream wait for an analysis that may be running.
  override func tearDownForNext() {
    shared.withLock { shared in
      shared.picture = nil
      shared.wantsPicture = false
    }
  }

  override func tearDown() {
    let isSettingUp = shared.change { shared in
      shared.isEnding = true
      return shared.isSettingUp
    }
    // Do not wait for a set-up, which can take long: the thread ends by itself after it.
    if !isSettingUp { thread?.join() }
    thread = nil
    pace = nil
    tearDownForNext()
  }

  override func run(_ frame: inout VideoFrame, _ bus: ElementBus) -> FrameFate {
    let bytes = shared.withLock { shared in
      defer { shared.spare = [] }
      return shared.spare
    }
    pace?.take(pictureAt: frame.timestamp)
    let picture = shrinker.reduce(&frame, into: bytes)
    shared.change { shared in
      shared.wantsPicture = false
      shared.picture = picture
    }
    return .goesOn
  }
}
