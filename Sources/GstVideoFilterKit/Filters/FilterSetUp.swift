import Threads

/// Sets a filter up on a thread of its own.
///
/// `filter` and `failure` belong to that thread until `stage` is `done`, and to the thread that began it from
/// then on; those of one that was abandoned before stay the thread's. So a filter is used on one
/// thread at a time, whatever it refers to. That makes the class Sendable.
final class FilterSetUp<Filter: VideoFilter>: @unchecked Sendable {
  private enum Stage {
    case underWay
    case done
    case abandoned
  }

  /// What the filter is set up for.
  let stream: VideoStream
  /// Where is waited for it.
  let wait: StreamWait
  private var filter: Filter?
  private var failure: (any Error)?
  private let stage = Monitor(Stage.underWay)

  /// Begins at once; wakes the threads that wait on `wait` at the end.
  init(_ filter: consuming Filter, for stream: VideoStream, waking wait: StreamWait) {
    self.filter = filter
    self.stream = stream
    self.wait = wait
    // The thread ends by itself. If there is none, the work is done here: late, but done.
    if DedicatedThread("filter-set-up", { self.run() }) == nil { run() }
  }

  /// Whether there is something to take.
  var isDone: Bool { stage.withLock { $0 == .done } }

  /// The filter, and why it could not be set up, if so; nil while that is under way.
  func take() -> (filter: Filter, failure: (any Error)?)? {
    guard isDone, let filter else { return nil }
    self.filter = nil
    return (filter, failure)
  }

  /// Abandons the set-up; the filter is torn down once it finishes.
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
      // It may have taken some of what it needs.
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
