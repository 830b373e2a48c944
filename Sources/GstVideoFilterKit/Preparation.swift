import CGStreamer

/// Sets runners up beside the stream, on a thread of its own.
///
/// Until `outcome` is there nobody else uses the runners, which is what makes the class Sendable.
@safe final class Preparation: @unchecked Sendable {
  enum Outcome {
    case success
    /// What is to be told.
    case failure(String)
  }

  /// The wish that it was begun for.
  let version: Int
  private let runners: [Runner]
  private let stream: VideoStream
  private let bus: ElementBus
  private let found = Monitor<Outcome?>(nil)
  // Owned until it is joined.
  private var thread: UnsafeMutablePointer<GThread>?

  /// Begins at once.
  init(_ runners: [Runner], for stream: VideoStream, version: Int, _ bus: ElementBus) {
    self.runners = runners
    self.stream = stream
    self.version = version
    self.bus = bus
    let context = unsafe Unmanaged.passRetained(self)
    // The new thread takes over the reference that is passed to it.
    unsafe thread = g_thread_try_new(
      "filter-set-up",
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<Preparation>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
      }, context.toOpaque(), nil)
    // Without a thread the work is done here: late, but done.
    if unsafe thread == nil { unsafe context.takeRetainedValue().run() }
  }

  /// What came of it; nil as long as it goes on.
  var outcome: Outcome? { found.withLock { $0 } }

  /// Waits for its end.
  func join() {
    if let thread = unsafe thread { _ = unsafe g_thread_join(thread) }
    unsafe thread = nil
  }

  private func run() {
    for runner in runners {
      do {
        try runner.setUp(for: stream, bus, besideStream: true)
      } catch {
        found.withLock { $0 = .failure(runner.complaint(error)) }
        return
      }
    }
    found.withLock { $0 = .success }
  }
}
