import Threads

/// Sets a worker up on a new thread.
///
/// The new thread uses the worker until there is a result. If the set-up is abandoned before that,
/// the thread keeps the worker and tears it down.
final class WorkerSetUp: Sendable {
  /// The stream that the worker is set up for.
  let stream: VideoStream
  private let worker: Worker
  private let wait: StreamWait
  private let state = Monitor((result: Result<Void, any Error>?.none, isAbandoned: false))

  /// Begins to set up `worker` for `stream`.
  ///
  /// Wakes the thread that waits on `wait` when the set-up has ended.
  init(of worker: Worker, for stream: VideoStream, waking wait: StreamWait) {
    (self.worker, self.stream, self.wait) = (worker, stream, wait)
    // The thread ends by itself. If it cannot be started, do the work on this thread.
    if DedicatedThread("filter-set-up", { self.run() }) == nil { run() }
  }

  /// The result, or nil until the set-up has ended.
  var result: Result<Void, any Error>? { state.current.result }

  /// Abandons the set-up.
  ///
  /// The worker is torn down when the set-up has ended.
  func abandon() {
    let isDone = state.withLock { state in
      state.isAbandoned = true
      return state.result != nil
    }
    if isDone { worker.tearDown() }
  }

  private func run() {
    let result = Result { try worker.setUp(for: stream) }
    let isAbandoned = state.withLock { state in
      state.result = result
      return state.isAbandoned
    }
    if isAbandoned { worker.tearDown() } else { wait.wake() }
  }
}
