import Threads

/// The threads that open and decode the backgrounds of one element.
///
/// A thread ends by itself after its background is cancelled and its current call has returned. The
/// element waits only a short time for that when it stops. Thread-safe.
package final class BackgroundThreads: Sendable {
  /// The maximum number of threads.
  ///
  /// If this many are running, opening another background fails. It is reached only if threads are
  /// stuck in calls that do not return.
  static let maxCount = 16

  private let running = Monitor(0)

  /// Creates the object without starting a thread.
  package init() {}

  /// The number of running threads.
  var count: Int { running.current }

  /// Runs `work` on a new thread.
  ///
  /// Returns false if no more threads can be started.
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
