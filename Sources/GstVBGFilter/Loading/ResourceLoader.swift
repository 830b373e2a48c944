import CGStreamer
import InferenceTypes
import Threads

/// Does what takes long on a thread of its own, for one element; the newest request wins.
///
/// The thread starts with the first request after `begin` and ends with `end`.
@safe final class ResourceLoader {
  /// The requests and answers, and whether anybody may still wait for them.
  struct SharedState: Sendable {
    var network = Mailbox<NetworkRequest, Result<Network, SegmentationError>>()
    private(set) var plate = Mailbox<PlateRequest, Result<LoadedBackground, BackgroundError>>()
    /// Ends the wait for the background that is being opened.
    private var plateCancellation: Cancellation?
    /// A network that will probably be asked for.
    var expected: NetworkRequest?
    // Either lets nobody wait. Each on its own: the end of a flush does not undo a stop.
    /// The stream is flushed.
    var isFlushing = false
    /// The stream stops.
    var isStopping = false
    /// The thread is to end.
    var isEnding = false

    /// Asks for a background, in place of an older request.
    mutating func ask(for request: PlateRequest) {
      plateCancellation?.cancel()
      plate.ask(for: request)
    }

    /// Wants no background any more.
    mutating func cancelPlate() {
      plateCancellation?.cancel()
      plate.cancel()
    }

    /// The answer to the request for a background, once it is there.
    mutating func takePlate() -> Result<LoadedBackground, BackgroundError>? { plate.takeAnswer() }

    /// Takes the request for a background up, and how to hear that it is not wanted any more.
    fileprivate mutating func takePlateRequest() -> (PlateRequest, Cancellation)? {
      guard let request = plate.takeRequest() else { return nil }
      let cancellation = Cancellation()
      plateCancellation = cancellation
      return (request, cancellation)
    }

    /// Puts the answer in, unless it is not wanted any more.
    fileprivate mutating func put(
      _ answer: Result<LoadedBackground, BackgroundError>, for request: PlateRequest,
      _ cancellation: Cancellation
    ) {
      if !cancellation.isCancelled { plate.put(answer, for: request) }
    }

    /// Lets the thread end, and what it waits for.
    fileprivate mutating func end() {
      isEnding = true
      plateCancellation?.cancel()
    }
  }

  private let shared = Monitor(SharedState())
  private var maker: ResourceMaker?
  private var thread: UnsafeMutablePointer<GThread>?

  /// Takes requests from now on; `maker` is used by the loader's thread alone until `end`.
  func begin(with maker: ResourceMaker) {
    self.maker = maker
    shared.change { $0 = SharedState() }
  }

  /// Puts requests in or withdraws them.
  func submit(_ change: (inout SharedState) -> Void) {
    shared.change(change)
    if unsafe thread == nil { startThread() }
  }

  /// Fetches an answer if it is there.
  func fetch<Answer>(_ take: (inout SharedState) -> Answer?) -> Answer? {
    shared.withLock(take)
  }

  /// Waits for an answer; nil when the wait was interrupted.
  func wait<Answer>(for take: (inout SharedState) -> Answer?) -> Answer? {
    shared.wait { shared in
      if shared.isFlushing || shared.isStopping { return .some(nil) }
      return take(&shared).map(Optional.some)
    }
  }

  /// Wakes all waiters; later waits return nil until `begin`; from any thread.
  func interrupt() {
    shared.change { $0.isStopping = true }
  }

  /// Wakes all waiters; waits return nil while the stream is flushed; from any thread.
  func setFlushing(_ isFlushing: Bool) {
    shared.change { $0.isFlushing = isFlushing }
  }

  /// Takes no more requests; ends the thread, after what it is doing at the moment: a network is
  /// waited for, a background is not.
  func end() {
    shared.change { $0.end() }
    if let thread = unsafe thread { _ = unsafe g_thread_join(thread) }
    unsafe thread = nil
    maker = nil
    shared.change { $0 = SharedState() }
  }

  private func startThread() {
    guard let maker else { return }
    let work = unsafe Unmanaged.passRetained(LoadingWork(shared: shared, maker: maker))
    // The new thread takes over the reference that is passed to it.
    unsafe thread = g_thread_try_new(
      "vbgfilter-load",
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<LoadingWork>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
      }, work.toOpaque(), nil)
    // Without a thread the work is done here: late, but done.
    if unsafe thread == nil { unsafe work.takeRetainedValue().runOnce() }
  }
}

/// What the loading thread does.
///
/// Sendable because it is handed to that thread and used there alone; the shared state has its own lock.
private final class LoadingWork: @unchecked Sendable {
  private enum Job {
    case network(NetworkRequest)
    case plate(PlateRequest, Cancellation)
    case preparation(NetworkRequest)
    case end
  }

  private let shared: Monitor<ResourceLoader.SharedState>
  private let maker: ResourceMaker

  init(shared: Monitor<ResourceLoader.SharedState>, maker: ResourceMaker) {
    self.shared = shared
    self.maker = maker
  }

  /// Works until the loader ends.
  func run() {
    while work(on: shared.wait(until: nextJob)) {}
  }

  /// Does what there is to do now.
  func runOnce() {
    while let job = shared.withLock(nextJob), work(on: job) {}
  }

  private func work(on job: Job) -> Bool {
    switch job {
    case .end:
      return false
    case .network(let request):
      let answer = Result { () throws(SegmentationError) in try maker.makeNetwork(request) }
      shared.change { $0.network.put(answer, for: request) }
    case .plate(let request, let cancellation):
      let answer = Result { () throws(BackgroundError) in
        try maker.loadBackground(request, cancellation)
      }
      shared.change { $0.put(answer, for: request, cancellation) }
    case .preparation(let request):
      maker.prepareNetwork(request)
    }
    return true
  }

  private func nextJob(_ shared: inout ResourceLoader.SharedState) -> Job? {
    if shared.isEnding { return .end }
    // First the network: without it nothing goes out.
    if let request = shared.network.takeRequest() {
      shared.expected = nil
      return .network(request)
    }
    if let (request, cancellation) = shared.takePlateRequest() {
      return .plate(request, cancellation)
    }
    defer { shared.expected = nil }
    return shared.expected.map(Job.preparation)
  }
}
