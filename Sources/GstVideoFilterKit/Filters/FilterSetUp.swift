import Threads

/// Sets up a filter on a new thread.
///
/// Sendable because the filter is used on one thread at a time, even if it refers to other objects.
/// Only the new thread uses `filter` and `failure` until `stage` is `done`. After that, only the
/// thread that created this object uses them. If the set-up is abandoned before it is done, only
/// the new thread uses them until the end.
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

  /// Begins to set up `filter` for `stream`.
  ///
  /// Wakes the thread that waits on `wait` when the set-up has ended.
  init(_ filter: consuming Filter, for stream: VideoStream, waking wait: StreamWait) {
    self.filter = filter
    self.stream = stream
    self.wait = wait
    // The thread ends by itself. If it cannot be started, do the work on this thread.
    if DedicatedThread("filter-set-up", { self.run() }) == nil { run() }
  }

  /// Whether the set-up has ended, so that `take` can return the filter.
  var isDone: Bool { stage.withLock { $0 == .done } }

  /// Returns the filter, and the error if it could not be set up.
  ///
  /// Returns nil while the set-up is running, and after the filter was taken.
  func take() -> (filter: Filter, failure: (any Error)?)? {
    guard isDone, let filter else { return nil }
    self.filter = nil
    return (filter, failure)
  }

  /// Abandons the set-up.
  ///
  /// The filter is torn down when the set-up has ended.
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
      // Tear down, because `setUp` may have created a part of its resources before it failed.
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
