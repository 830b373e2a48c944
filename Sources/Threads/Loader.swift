/// Makes what takes long on another thread; the newest request wins.
///
/// One thread at a time makes requests and takes what came of them, between two frames for example.
public final class Loader<Request: Equatable & Sendable, Product: Sendable, Failure: Error> {
  /// Makes the product of a request on the loading thread.
  ///
  /// It may ask the cancellation whether the product is still wanted, or react to it.
  public typealias Make = @Sendable (Request, Cancellation) throws(Failure) -> Product

  private let thread: LoadingThread
  private let work: Work

  /// Makes a loader whose answers wake who waits for something on a stream.
  ///
  /// Requests of loaders that were made before on the same thread come first.
  package init(on thread: LoadingThread, waking wait: StreamWait, make: @escaping Make) {
    self.thread = thread
    work = Work(wait: wait, make: make)
    thread.add { [work] isIdle in work.nextJob(isIdle: isIdle) }
  }

  /// Makes a loader.
  public convenience init(on thread: LoadingThread, make: @escaping Make) {
    self.init(on: thread, waking: StreamWait(), make: make)
  }

  deinit { end() }

  /// Asks for something in place of what was asked for before, which is cancelled.
  public func request(_ request: Request) {
    work.replaceRequest { $0.ask(for: request) }
    thread.wake()
  }

  /// Wants nothing any more: what was asked for is cancelled.
  public func withdraw() { work.replaceRequest { $0.cancel() } }

  /// Runs `idleWork` while there is no request.
  ///
  /// A request of this loader replaces work that has not begun. The end of the loader cancels it.
  package func runWhenIdle(_ idleWork: @escaping @Sendable (Cancellation) -> Void) {
    work.state.change { $0.idleWork = idleWork }
    thread.wake()
  }

  /// Takes what came of the newest request; nil as long as that is not known.
  public func poll() -> Result<Product, Failure>? {
    work.state.withLock { $0.mailbox.takeAnswer() }
  }

  /// Waits for what comes of the newest request, and takes it; nil when the stream is flushed or stops.
  package func wait() -> Result<Product, Failure>? {
    var answer: Result<Product, Failure>?
    _ = work.wait.wait {
      answer = poll()
      return answer != nil
    }
    return answer
  }

  /// Takes no more requests and cancels the last one.
  ///
  /// What is being made may go on: the end of the thread waits for it.
  public func end() { work.end() }

  /// What the loader and the thread share.
  private struct Work: Sendable {
    struct State: Sendable {
      var mailbox = Mailbox<Request, Result<Product, Failure>>()
      /// Of what is being made.
      var cancellation: Cancellation?
      var idleWork: (@Sendable (Cancellation) -> Void)?
      var idleCancellation: Cancellation?
      var isEnding = false
    }

    let state = Monitor(State())
    let wait: StreamWait
    let make: Make

    /// Puts a request into the mailbox, or takes it out, and cancels the one before.
    func replaceRequest(_ change: (inout Mailbox<Request, Result<Product, Failure>>) -> Void) {
      // An answer that was not taken, a whole network perhaps, is released without the lock.
      let (cancellation, _) = state.change { state in
        let old = (state.cancellation, state.mailbox)
        state.cancellation = nil
        change(&state.mailbox)
        return old
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

    /// What the thread has to do next.
    func nextJob(isIdle: Bool) -> (@Sendable () -> Void)? {
      state.withLock { state in
        if state.isEnding { return nil }
        if isIdle {
          guard let idleWork = state.idleWork else { return nil }
          state.idleWork = nil
          let cancellation = Cancellation()
          // A request does not cancel it: it may be preparing just that.
          state.idleCancellation = cancellation
          return { idleWork(cancellation) }
        }
        guard let request = state.mailbox.takeRequest() else { return nil }
        let cancellation = Cancellation()
        state.cancellation = cancellation
        state.idleWork = nil
        return { answer(request, cancellation) }
      }
    }

    private func answer(_ request: Request, _ cancellation: Cancellation) {
      let answer = Result { () throws(Failure) in try make(request, cancellation) }
      // A failure of a cancelled request says nothing about the same request made anew.
      if cancellation.isCancelled, case .failure = answer { return }
      state.withLock { $0.mailbox.put(answer, for: request) }
      wait.wake()
    }
  }
}
