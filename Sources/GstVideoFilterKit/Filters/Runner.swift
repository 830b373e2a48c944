import GstElementSupport
import Threads

/// Runs one filter or analyzer of an element: applies its properties, sets it up and passes it
/// frames.
///
/// `settings` and `observers` may be used on any thread. All other members are used on one thread
/// at a time. During a stream it is the streaming thread, otherwise the thread that changes the
/// element's state.
final class Runner {
  let declaration: ElementDeclaration
  /// The type of the filter or analyzer.
  let type: any VideoElement.Type
  /// Whether the runner changes frames.
  ///
  /// If so, frames wait until it is set up.
  let changesFrames: Bool
  let settings: Monitor<ElementSettings>
  let observers = AnalysisObservers([])
  /// The value of `active` for the current frame.
  private(set) var isActive = true
  /// The error of the last set-up, or nil if it succeeded or has not ended.
  private(set) var failure: (any Error)?
  /// The stream of the last set-up, or nil if it failed or did not begin.
  private var stream: VideoStream?
  /// Whether a set-up is needed, or the result of the last one was not consumed yet.
  private var isUnderWay = false
  private(set) var worker: Worker
  /// The set-up that uses the worker, or nil if its result was consumed.
  private var setUp: WorkerSetUp?
  private var wait = StreamWait()
  /// The number of changes of the settings that were applied to the worker.
  private var version = 0
  /// Whether no other thread uses the worker.
  private var isReady = true

  init(_ declaration: ElementDeclaration, _ type: any VideoElement.Type) {
    self.declaration = declaration
    self.type = type
    changesFrames = type is any VideoFilter.Type
    settings = Monitor(declaration.defaults)
    worker = type.makeWorker(declaration, observers)
  }

  /// Applies the property values that users have set, unless another thread uses the worker.
  func takeSettings() {
    isReady = setUp == nil && (changesFrames || worker.isIdle)
    let changed: [PropertyValue]? = settings.withLock { settings in
      isActive = settings.isActive
      guard isReady, settings.version != version else { return nil }
      version = settings.version
      return settings.values
    }
    if let changed { worker.apply(changed) }
  }

  /// Begins a set-up for a stream, unless the runner is already set up for it.
  ///
  /// If a set-up or an analysis is running, the new set-up begins after it. When the set-up ends,
  /// it wakes the thread that waits on `wait`.
  func getReady(for stream: VideoStream, waking wait: StreamWait) {
    guard self.stream != stream else { return }
    self.stream = stream
    self.wait = wait
    failure = nil
    isUnderWay = true
    if setUp == nil { beginSetUp() }
  }

  private func beginSetUp() {
    takeSettings()
    if isReady, let stream { setUp = WorkerSetUp(of: worker, for: stream, waking: wait) }
  }

  /// Returns whether the last set-up has ended, and consumes its result.
  ///
  /// After that, `failure` is the error of the set-up if it failed.
  func isSettled() -> Bool {
    guard isUnderWay else { return true }
    if let setUp {
      guard let result = setUp.result else { return false }
      self.setUp = nil
      if setUp.stream == stream {
        isUnderWay = false
        if case .failure(let error) = result { (failure, stream) = (error, nil) }
        return true
      }
    }
    beginSetUp()
    return false
  }

  /// Whether no set-up is running.
  var isSetUpOver: Bool { setUp.map { $0.result != nil } ?? true }

  /// Resets everything except the settings after the stream has ended.
  ///
  /// Waits for an analysis that is running, but not for a set-up: its thread tears down when the
  /// set-up has ended.
  func reset() {
    if let setUp { setUp.abandon() } else { worker.tearDown() }
    setUp = nil
    worker = type.makeWorker(declaration, observers)
    version = 0
    stream = nil
    failure = nil
    isUnderWay = false
  }

  /// Returns whether to run the worker on the current frame.
  ///
  /// `time` is the frame's timestamp.
  func wantsFrame(at time: Duration?) -> Bool {
    isActive && isReady && !isUnderWay && (changesFrames || worker.isDue(at: time))
  }
}
