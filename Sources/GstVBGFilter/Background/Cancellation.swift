import Threads

/// Tells whoever works on something that nobody wants it any more; from any thread.
final class Cancellation: Sendable {
  private struct State: Sendable {
    var isCancelled = false
    var reaction: (@Sendable () -> Void)?
  }

  private let state = Monitor(State())

  /// Whether nobody wants it any more.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Says that nobody wants it any more.
  func cancel() {
    let reaction = state.withLock { state in
      state.isCancelled = true
      return state.reaction
    }
    reaction?()
  }

  /// Does something when it is cancelled, at once if it is already; in place of an earlier reaction.
  func react(_ reaction: (@Sendable () -> Void)?) {
    let isCancelled = state.withLock { state in
      state.reaction = reaction
      return state.isCancelled
    }
    if isCancelled { reaction?() }
  }
}
