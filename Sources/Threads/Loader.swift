/// Creates products on a loading thread, for the newest request only.
///
/// Not thread-safe: only one thread may make requests and take answers.
public final class Loader<Request: Equatable & Sendable, Product: Sendable, Failure: Error> {
  /// Creates the product of a request on the loading thread.
  ///
  /// The function can check whether the request is cancelled, or react to the cancellation.
  public typealias Make = @Sendable (Request, Cancellation) throws(Failure) -> Product

  private let thread: LoadingThread
  private let work: Work

  /// Creates a loader.
  ///
  /// Its answers wake the streaming thread that waits on `wait`. Loaders that were added to
  /// `thread` earlier have priority.
  package init(on thread: LoadingThread, waking wait: StreamWait, make: @escaping Make) {
    self.thread = thread
    work = Work(wait: wait, make: make)
    thread.add { [work] isIdle in work.nextJob(isIdle: isIdle) }
  }

  /// Creates a loader.
  public convenience init(on thread: LoadingThread, make: @escaping Make) {
    self.init(on: thread, waking: StreamWait(), make: make)
  }

  deinit { end() }

  /// Cancels the current request, and makes a new one.
  public func request(_ request: Request) {
    work.replaceRequest { $0.ask(for: request) }
    thread.wake()
  }

  /// Whether a request is pending, or its answer was not taken.
  package var isLoading: Bool { work.state.withLock { $0.mailbox.wanted != nil } }

  /// Returns the answer to a request, which it makes unless it is the current one.
  ///
  /// Returns nil if the answer is not ready, or if the stream is flushed or stops. If `waits` is
  /// true, waits for the answer.
  package func fetch(_ request: Request, waits: Bool) -> Result<Product, Failure>? {
    if work.state.withLock({ $0.mailbox.wanted != request }) { self.request(request) }
    return waits ? wait() : poll()
  }

  /// Cancels the current request, if any.
  public func withdraw() {
    guard isLoading else { return }
    work.replaceRequest { $0.cancel() }
    thread.wake()
  }

  /// Runs `idleWork` when no request is pending.
  ///
  /// A request of this loader drops idle work that has not begun. `end` cancels running idle work.
  package func runWhenIdle(_ idleWork: @escaping @Sendable (Cancellation) -> Void) {
    work.state.change { $0.idleWork = idleWork }
    thread.wake()
  }

  /// Takes a product and releases it on the thread, because that can take long.
  package func release(_ product: inout Product?) {
    work.state.withLock { state in
      // The caller's last reference must end before the thread takes the product.
      if let taken = product.take() { state.released.append(.success(taken)) }
    }
    thread.wake()
  }

  /// Takes the answer to the newest request, or returns nil if it is not ready.
  public func poll() -> Result<Product, Failure>? {
    work.state.withLock { $0.mailbox.consumeAnswer() }
  }

  /// Waits for the answer and takes it, or returns nil if the stream is flushed or stops.
  package func wait() -> Result<Product, Failure>? {
    var answer: Result<Product, Failure>?
    _ = work.wait.wait {
      answer = poll()
      return answer != nil
    }
    return answer
  }

  /// Stops accepting requests and cancels the current one.
  ///
  /// Work on a product may continue after that. `LoadingThread.end` waits for it.
  public func end() { work.end() }

  /// The state that the loader and the thread share.
  private struct Work: Sendable {
    struct State: Sendable {
      var mailbox = Mailbox<Request, Result<Product, Failure>>()
      var cancellation: Cancellation?
      /// Products and answers that are no longer needed.
      var released: [Result<Product, Failure>] = []
      var idleWork: (@Sendable (Cancellation) -> Void)?
      var idleCancellation: Cancellation?
      var isEnding = false
    }

    let state = Monitor(State())
    let wait: StreamWait
    let make: Make

    /// Changes the request in the mailbox and cancels the previous one.
    func replaceRequest(_ change: (inout Mailbox<Request, Result<Product, Failure>>) -> Void) {
      let cancellation = state.change { state in
        defer { state.cancellation = nil }
        // An answer that was not taken may be a whole network.
        if let answer = state.mailbox.consumeAnswer() { state.released.append(answer) }
        change(&state.mailbox)
        return state.cancellation
      }
      cancellation?.cancel()
    }

    func end() {
      let cancellations = state.change { state in
        state.isEnding = true
        return [state.cancellation, state.idleCancellation]
      }
      for cancellation in cancellations { cancellation?.cancel() }
    }

    func nextJob(isIdle: Bool) -> (@Sendable () -> Void)? {
      state.withLock { state in
        if state.isEnding { return nil }
        if !state.released.isEmpty {
          defer { state.released = [] }
          return { [released = state.released] in withExtendedLifetime(released) {} }
        }
        if isIdle {
          guard let idleWork = state.idleWork else { return nil }
          state.idleWork = nil
          let cancellation = Cancellation()
          // A request does not cancel idle work, which may be preparing the same product.
          state.idleCancellation = cancellation
          return { idleWork(cancellation) }
        }
        guard let request = state.mailbox.consumeRequest() else { return nil }
        let cancellation = Cancellation()
        state.cancellation = cancellation
        state.idleWork = nil
        return { answer(request, cancellation) }
      }
    }

    private func answer(_ request: Request, _ cancellation: Cancellation) {
      let answer = Result { () throws(Failure) in try make(request, cancellation) }
      // If a cancelled request fails, the same request can still succeed later.
      if cancellation.isCancelled, case .failure = answer { return }
      state.withLock { $0.mailbox.put(answer, for: request) }
      wait.wake()
    }
  }
}
