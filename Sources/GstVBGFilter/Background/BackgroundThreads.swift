import CGStreamer
import Threads

/// The threads that open and decode the backgrounds of one element.
///
/// Each ends by itself once nobody wants its background, when whatever it is in returns; nobody waits
/// for it but for a moment. Used from any thread.
final class BackgroundThreads: Sendable {
  /// More cannot be stuck: opening another background fails then.
  static let most = 16

  private let running = Monitor(0)

  /// How many are running.
  var count: Int { running.current }

  /// Runs `work` on a thread of its own; false when there cannot be another one.
  func run(_ work: @escaping @Sendable () -> Void) -> Bool {
    let isFree = running.withLock { count in
      guard count < Self.most else { return false }
      count += 1
      return true
    }
    guard isFree else { return false }
    let context = Work { [running] in
      work()
      running.change { $0 -= 1 }
    }
    // The new thread takes over the reference that is passed to it.
    let reference = unsafe Unmanaged.passRetained(context)
    let thread = unsafe g_thread_try_new(
      "vbgfilter-video",
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().work()
        }
        return nil
      }, reference.toOpaque(), nil)
    guard let thread = unsafe thread else {
      unsafe reference.release()
      running.change { $0 -= 1 }
      return false
    }
    // Nobody joins it.
    unsafe g_thread_unref(thread)
    return true
  }

  /// Waits until none is running, but not longer than `limit`.
  func waitForEnd(upTo limit: Duration) {
    _ = running.wait(upTo: limit) { $0 == 0 ? () : nil }
  }

  private final class Work: Sendable {
    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
      self.work = work
    }
  }
}
