import Threads

/// Blocks callers of `pass()` while closed.
///
/// A test that waits for a blocked caller would never end, so the gate opens for good half a minute
/// after it was closed.
package final class Gate: Sendable {
  private struct State: Sendable {
    var isClosed = false
    /// The numbers of callers that arrived while it was closed, and of those that were released.
    var arrived = 0
    var released = 0
    /// How often it was closed.
    var closings = 0

    mutating func open() {
      isClosed = false
      released = arrived
    }
  }

  private static let timeout = Duration.seconds(30)
  private let state = Monitor(State())

  /// Makes an open gate.
  package init() {}

  /// Returns once the gate is open to this caller.
  package func pass() {
    var place: Int?
    state.change { state in
      guard state.isClosed else { return }
      state.arrived += 1
      place = state.arrived
    }
    guard let place else { return }
    state.wait { $0.released >= place ? () : nil }
  }

  /// Blocks later callers.
  package func close() {
    var closing = 0
    state.change { state in
      state.isClosed = true
      state.closings += 1
      closing = state.closings
    }
    let watched = closing
    _ = HelperThread { [state] in
      let isOver: Void? = state.wait(upTo: Self.timeout) { state in
        state.closings != watched || state.released == state.arrived && !state.isClosed ? () : nil
      }
      if isOver == nil { state.change { $0.open() } }
    }
  }

  /// Lets later callers pass, but does not release blocked ones.
  package func admit() {
    state.change { $0.isClosed = false }
  }

  /// Releases all callers, and lets later ones pass.
  package func open() {
    state.change { $0.open() }
  }

  /// Waits for a blocked caller.
  ///
  /// Returns false if no caller arrives.
  package func waitForArrival() -> Bool {
    state.wait(upTo: Self.timeout) { $0.arrived > $0.released ? true : nil } ?? false
  }

  /// Whether a caller is blocked.
  package var holdsSomebody: Bool { state.withLock { $0.arrived > $0.released } }
}
