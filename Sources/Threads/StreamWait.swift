/// Lets a streaming thread wait for other threads until its stream is flushed or stops.
///
/// Thread-safe.
package final class StreamWait: Sendable {
  /// The reasons that end a wait.
  ///
  /// The reasons are independent: the end of a flush does not undo a stop.
  private struct Interruptions {
    var isFlushing = false
    var isStopping = false
  }

  private let interruptions = Monitor(Interruptions())

  package init() {}

  /// Marks the start of a stream and clears all interruptions.
  package func begin() { interruptions.change { $0 = Interruptions() } }

  /// Ends waits at once until the next `begin`.
  package func stop() { interruptions.change { $0.isStopping = true } }

  /// Ends waits at once while the stream is flushing.
  package func setFlushing(_ isFlushing: Bool) {
    interruptions.change { $0.isFlushing = isFlushing }
  }

  /// Wakes all waiters, which check again whether the wait is over.
  package func wake() { interruptions.change { _ in } }

  /// Waits until `isOver` returns true.
  ///
  /// - Parameter isOver: Called now and after each wake. It must not use this object.
  /// - Returns: False if the stream is flushing or stopping.
  package func wait(until isOver: () -> Bool) -> Bool {
    interruptions.wait { interruptions in
      if interruptions.isFlushing || interruptions.isStopping { return false }
      return isOver() ? true : nil
    }
  }
}
