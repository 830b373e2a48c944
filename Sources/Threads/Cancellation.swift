/// Cancels work on another thread.
///
/// Thread-safe.
public final class Cancellation: Sendable {
  private struct State: Sendable {
    var isCancelled = false
    var reaction: (@Sendable () -> Void)?
  }

  private let state = Monitor(State())

  /// Creates a cancellation that is not cancelled yet.
  public init() {}

  /// Whether the work is cancelled.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Cancels the work and calls the reaction.
  public func cancel() {
    let reaction = state.withLock { state in
      state.isCancelled = true
      return state.reaction
    }
    reaction?()
  }

  /// Sets the closure to call on cancellation, in place of an earlier one.
  ///
  /// It is called at once if the work is already cancelled.
  package func react(_ reaction: (@Sendable () -> Void)?) {
    let isCancelled = state.withLock { state in
      state.reaction = reaction
      return state.isCancelled
    }
    if isCancelled { reaction?() }
  }
}
