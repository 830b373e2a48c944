import Threads

/// The threads that open and decode the backgrounds of one element.
///
/// Each ends by itself once its background is cancelled, when its current call returns. A stop
/// waits for it only for a moment. Used from any thread.
package final class BackgroundThreads: Sendable {
  /// The maximum number of stuck threads: opening another background then fails.
  static let maxCount = 16

  private let running = Monitor(0)

  /// Makes the threads of an element, without starting any.
  package init() {}

  /// The number of running threads.
  var count: Int { running.current }

  /// Runs `work` on its own thread.
  ///
  /// Returns false if no other thread can be started.
  func run(_ work: @escaping @Sendable () -> Void) -> Bool {
    let isFree = running.withLock { count in
      guard count < Self.maxCount else { return false }
      count += 1
      return true
    }
    guard isFree else { return false }
    let thread = DedicatedThread("vbgfilter-video") { [running] in
      work()
      running.change { $0 -= 1 }
    }
    // The thread is not joined.
    if thread == nil { running.change { $0 -= 1 } }
    return thread != nil
  }

  /// Waits until no thread is running, but not longer than `limit`.
  package func waitForEnd(upTo limit: Duration) {
    _ = running.wait(upTo: limit) { $0 == 0 ? () : nil }
  }
}
