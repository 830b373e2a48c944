/// Tells the thread that works on something that it is cancelled; from any thread.
public final class Cancellation: Sendable {
  private struct State: Sendable {
    var isCancelled = false
    var reaction: (@Sendable () -> Void)?
  }

  private let state = Monitor(State())

  /// Makes one of something that is wanted.
  public init() {}

  /// Whether it is cancelled.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Cancels it.
  public func cancel() {
    let reaction = state.withLock { state in
      state.isCancelled = true
      return state.reaction
    }
    reaction?()
  }

  /// Does something when it is cancelled, at once if it is already; in place of an earlier reaction.
  package func react(_ reaction: (@Sendable () -> Void)?) {
    let isCancelled = state.withLock { state in
      state.reaction = reaction
      return state.isCancelled
    }
    if isCancelled { reaction?() }
  }
}
