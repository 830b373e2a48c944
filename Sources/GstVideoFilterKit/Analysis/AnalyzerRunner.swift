import CGStreamer
import GstElementSupport
import Threads

/// Runs an analyzer: passes pictures to its thread.
@safe final class AnalyzerRunner<Analyzer: VideoAnalyzer>: Runner {
  let observers = Monitor<[AnalysisWork<Analyzer>.Observer]>([])
  // A new one for each thread: the thread before may still be ending.
  private var shared = Monitor(AnalysisState())
  private var shrinker = PictureShrinker(Analyzer.picture)
  /// Nil unless the runner is set up.
  private var pace: AnalysisPace?
  // Owned while the runner is set up.
  private var thread: UnsafeMutablePointer<GThread>?

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
    if unsafe thread == nil { startThread(bus) }
    let hasThread = unsafe thread != nil
    shared.change { [values] shared in
      shared.values = values
      shared.stream = stream
      shared.setUp = hasThread ? nil : .failure(NoThread())
    }
  }

  override func takeSetUpResult() -> Result<Void, any Error>? {
    let result = shared.withLock { $0.setUp }
    if case .failure = result { giveBack() }
    return result
  }

  private func startThread(_ bus: ElementBus) {
    shared = Monitor(AnalysisState())
    let work = AnalysisWork<Analyzer>(
      declaration: declaration, bus: bus, shared: shared, observers: observers)
    unsafe thread = work.start("analyzer")
  }

  private struct NoThread: Error, CustomStringConvertible {
    var description: String { "there is no thread to be had for the analysis" }
  }

  /// Keeps the thread: the stream must not wait for an analysis that may be running there.
  override func giveBackForNext() {
    shared.withLock { shared in
      shared.picture = nil
      shared.wantsPicture = false
    }
  }

  override func giveBack() {
    var isSettingUp = false
    shared.change { shared in
      shared.isEnding = true
      isSettingUp = shared.isSettingUp
    }
    if let thread = unsafe thread {
      if unsafe isSettingUp || thread == g_thread_self() {
        // A set-up can take long, and the thread ends by itself after it. Nor can the thread join
        // itself, when an observer stops the element: GLib would end the process.
        unsafe g_thread_unref(thread)
      } else {
        _ = unsafe g_thread_join(thread)
      }
    }
    unsafe thread = nil
    pace = nil
    giveBackForNext()
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
