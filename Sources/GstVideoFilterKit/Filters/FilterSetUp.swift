import Threads

/// Sets a filter up on its own thread.
///
/// `filter` and `failure` belong to that thread until `stage` is `done`, and from then on to the
/// thread that began it. If the set-up was abandoned before, they stay with its thread. So a filter
/// is used on one thread at a time, even if it refers to other objects. That makes the class
/// Sendable.
final class FilterSetUp<Filter: VideoFilter>: @unchecked Sendable {
  private enum Stage {
    case underWay
    case done
    case abandoned
  }

  /// The stream that the filter is set up for.
  let stream: VideoStream
  /// The wait of the streaming thread for the set-up.
  let wait: StreamWait
  private var filter: Filter?
  private var failure: (any Error)?
  private let stage = Monitor(Stage.underWay)

  /// Begins at once.
  ///
  /// Wakes the threads that wait on `wait` at the end.
  init(_ filter: consuming Filter, for stream: VideoStream, waking wait: StreamWait) {
    self.filter = filter
    self.stream = stream
    self.wait = wait
    // The thread ends by itself. If it cannot be started, the work is done here: late, but done.
    if DedicatedThread("filter-set-up", { self.run() }) == nil { run() }
  }

  /// Whether there is something to take.
  var isDone: Bool { stage.withLock { $0 == .done } }

  /// The filter, and the error if it could not be set up, or nil while the set-up is running.
  func take() -> (filter: Filter, failure: (any Error)?)? {
    guard isDone, let filter else { return nil }
    self.filter = nil
    return (filter, failure)
  }

  /// Abandons the set-up.
  ///
  /// The filter is torn down once it finishes.
  func abandon() {
    let wasDone = stage.withLock { stage in
      defer { stage = .abandoned }
      return stage == .done
    }
    if wasDone, failure == nil { filter?.tearDown() }
  }

  private func run() {
    do {
      try filter?.setUp(for: stream)
    } catch {
      // It may have taken some of the resources that it needs.
      filter?.tearDown()
      failure = error
    }
    let isWanted = stage.withLock { stage in
      guard stage == .underWay else { return false }
      stage = .done
      return true
    }
    if isWanted {
      wait.wake()
    } else {
      if failure == nil { filter?.tearDown() }
      filter = nil
    }
  }
}
