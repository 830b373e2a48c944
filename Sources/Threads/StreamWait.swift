/// Where a streaming thread waits for what others do, until its stream is flushed or stops.
///
/// Any thread may call any of it.
package final class StreamWait: Sendable {
  /// What ends the wait.
  ///
  /// Each on its own: the end of a flush does not undo a stop.
  private struct Interruptions {
    var isFlushing = false
    var isStopping = false
  }

  private let interruptions = Monitor(Interruptions())

  /// Makes one of a stream that has begun.
  package init() {}

  /// A stream begins: nothing ends the wait.
  package func begin() {
    interruptions.change { $0 = Interruptions() }
  }

  /// The stream stops: waits end at once until another one begins.
  package func stop() {
    interruptions.change { $0.isStopping = true }
  }

  /// Waits end at once while the stream is flushed.
  package func setFlushing(_ isFlushing: Bool) {
    interruptions.change { $0.isFlushing = isFlushing }
  }

  /// Wakes all waiters, which check again whether the wait is over.
  package func wake() {
    interruptions.change { _ in }
  }

  /// Waits until something is so.
  ///
  /// - Parameter isOver: asked now and at each wake of the waiting thread; must not use
  ///   this object.
  /// - Returns: false when the stream does not let it wait.
  package func wait(until isOver: () -> Bool) -> Bool {
    interruptions.wait { interruptions in
      if interruptions.isFlushing || interruptions.isStopping { return false }
      return isOver() ? true : nil
    }
  }
}
