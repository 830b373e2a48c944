import CGStreamer
import GstElementSupport
import Threads

/// An analyzer at work: hands pictures to a thread of its own.
@safe final class AnalyzerRunner<Analyzer: VideoAnalyzer>: Runner {
  let observers = Monitor<[AnalysisWork<Analyzer>.Observer]>([])
  // Another one for each thread: the one before may have its end still before it.
  private var shared = Monitor(AnalysisState())
  private var shrinker = PictureShrinker(Analyzer.picture)
  /// There while the runner is set up.
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

  override func takeOutcome() -> Result<Void, any Error>? {
    let outcome = shared.withLock { $0.setUp }
    if case .failure = outcome { giveBack() }
    return outcome
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

  /// Keeps the thread: the stream must not wait for the analysis that may be going on there.
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
        // A set-up is not waited for: it can take long, and the thread ends after it. Nor can the
        // thread wait for itself, when whoever is told a result stops the element: GLib would end
        // the process here.
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
    let picture = shrinker.gather(&frame, into: bytes)
    shared.change { shared in
      shared.wantsPicture = false
      shared.picture = picture
    }
    return .goesOn
  }
}
