import Threads

/// Sets a worker up on a new thread.
///
/// The new thread uses the worker until there is a result. If the set-up is abandoned before that,
/// the thread keeps the worker and tears it down.
final class WorkerSetUp: Sendable {
  private enum Stage {
    case underWay
    case done(Result<Void, any Error>)
    case abandoned
  }

  /// The stream that the worker is set up for.
  let stream: VideoStream
  private let worker: Worker
  private let wait: StreamWait
  private let stage = Monitor(Stage.underWay)

  /// Begins to set up `worker` for `stream`.
  ///
  /// Wakes the thread that waits on `wait` when the set-up has ended.
  init(of worker: Worker, for stream: VideoStream, waking wait: StreamWait) {
    self.worker = worker
    self.stream = stream
    self.wait = wait
    // The thread ends by itself. If it cannot be started, do the work on this thread.
    if DedicatedThread("filter-set-up", { self.run() }) == nil { run() }
  }

  /// The result, or nil until the set-up has ended.
  var result: Result<Void, any Error>? {
    if case .done(let result) = stage.current { result } else { nil }
  }

  /// Abandons the set-up.
  ///
  /// The worker is torn down when the set-up has ended.
  func abandon() {
    let wasDone = stage.withLock { stage in
      defer { stage = .abandoned }
      if case .done = stage { return true }
      return false
    }
    if wasDone { worker.tearDown() }
  }

  private func run() {
    let result = Result { try worker.setUp(for: stream) }
    let isWanted = stage.withLock { stage in
      guard case .underWay = stage else { return false }
      stage = .done(result)
      return true
    }
    if isWanted { wait.wake() } else { worker.tearDown() }
  }
}
