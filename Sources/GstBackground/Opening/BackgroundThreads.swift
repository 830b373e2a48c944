import Threads

/// The threads that open and decode the backgrounds of one element.
///
/// Each ends by itself once its background is cancelled, when the call it is in returns; a stop waits for
/// it only for a moment. Used from any thread.
package final class BackgroundThreads: Sendable {
  /// More cannot be stuck: opening another background fails then.
  static let maxCount = 16

  private let running = Monitor(0)

  /// Makes the threads of an element; none runs yet.
  package init() {}

  /// How many are running.
  var count: Int { running.current }

  /// Runs `work` on a thread of its own; false when there cannot be another one.
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
    // Nobody joins it.
    if thread == nil { running.change { $0 -= 1 } }
    return thread != nil
  }

  /// Waits until none is running, but not longer than `limit`.
  package func waitForEnd(upTo limit: Duration) {
    _ = running.wait(upTo: limit) { $0 == 0 ? () : nil }
  }
}
