import CGStreamer
import Threads

/// Sets a filter up on a thread of its own.
///
/// `filter` and `failure` belong to that thread until `stage` is `done`, and to the thread that began it from
/// then on; those of one that was abandoned before stay the thread's. So a filter is used on one
/// thread at a time, whatever it refers to.
final class FilterSetUp<Filter: VideoFilter>: ThreadWork {
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

  /// Begins at once, and wakes who waits at the end.
  init(_ filter: consuming Filter, for stream: VideoStream, waking wait: StreamWait) {
    self.filter = filter
    self.stream = stream
    self.wait = wait
    super.init()
    if let thread = unsafe start("filter-set-up") {
      unsafe g_thread_unref(thread)
    } else {
      // Without a thread the work is done here: late, but done.
      run()
    }
  }

  /// Whether there is something to take.
  var isDone: Bool { stage.withLock { $0 == .done } }

  /// The filter, and why it could not be set up, if so; nil while that is under way.
  func take() -> (filter: Filter, failure: (any Error)?)? {
    guard isDone, let filter else { return nil }
    self.filter = nil
    return (filter, failure)
  }

  /// Wants the filter no more: what it took is given back, as soon as it has been set up.
  func abandon() {
    let wasDone = stage.withLock { stage in
      defer { stage = .abandoned }
      return stage == .done
    }
    if wasDone, failure == nil { filter?.tearDown() }
  }

  override func run() {
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
