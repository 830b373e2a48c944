import Threads

/// Holds up whoever comes to pass it while it is closed.
///
/// A test whose subject waits for what is held up would never end: half a minute after it was closed
/// the gate opens by itself, and holds nobody up any more.
public final class Gate: Sendable {
  private struct State: Sendable {
    var isClosed = false
    /// Those who came while it was closed, and how many of them were let go.
    var arrived = 0
    var released = 0
    /// Counts how often it was closed.
    var closings = 0

    mutating func open() {
      isClosed = false
      released = arrived
    }
  }

  private static let timeout = Duration.seconds(30)
  private let state = Monitor(State())

  /// Makes one that is open.
  public init() {}

  /// Goes on as soon as the gate lets this one.
  public func pass() {
    var place: Int?
    state.change { state in
      guard state.isClosed else { return }
      state.arrived += 1
      place = state.arrived
    }
    guard let place else { return }
    state.wait { $0.released >= place ? () : nil }
  }

  /// Holds up whoever comes from now on.
  public func close() {
    var closing = 0
    state.change { state in
      state.isClosed = true
      state.closings += 1
      closing = state.closings
    }
    let watched = closing
    _ = HelperThread { [state] in
      let isOver: Void? = state.wait(upTo: Self.timeout) { state in
        state.closings != watched || state.released == state.arrived && !state.isClosed
          ? () : nil
      }
      if isOver == nil { state.change { $0.open() } }
    }
  }

  /// Lets those pass who come from now on; who is held up stays.
  public func admit() {
    state.change { $0.isClosed = false }
  }

  /// Lets everybody pass.
  public func open() {
    state.change { $0.open() }
  }

  /// Waits until somebody is held up; false when nobody comes.
  public func waitForArrival() -> Bool {
    state.wait(upTo: Self.timeout) { $0.arrived > $0.released ? true : nil } ?? false
  }

  /// Whether somebody is held up.
  public var holdsSomebody: Bool { state.withLock { $0.arrived > $0.released } }
}
