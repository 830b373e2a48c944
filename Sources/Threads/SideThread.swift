/// Work for a `SideThread`.
package protocol SideWork: AnyObject, Sendable {
  func perform()
}

/// A thread that does one piece of work at a time, while its user goes on.
///
/// It starts with the first work and ends with this object. Its user is one thread at a time. It
/// allocates no memory after the start.
package final class SideThread {
  private struct State: Sendable {
    /// The work to do or in progress.
    var work: (any SideWork)?
    var isEnding = false
  }

  private let name: String
  private let state = Monitor(State())
  /// The thread, or nil before the first work or if the system cannot create a thread.
  private var thread: DedicatedThread?

  /// Creates a thread that has not started.
  ///
  /// Debuggers show up to 15 bytes of the name.
  package init(_ name: String) { self.name = name }

  /// Waits for the work in progress, and ends the thread.
  deinit {
    state.change { $0.isEnding = true }
    thread?.join()
  }

  package var isIdle: Bool { state.withLock { $0.work == nil } }

  /// Begins `work`, while the thread is idle.
  ///
  /// Without a thread, this function does the work before it returns.
  package func begin(_ work: any SideWork) {
    if thread == nil { thread = DedicatedThread(name) { [state] in Self.run(state) } }
    guard thread != nil else {
      work.perform()
      return
    }
    state.change { $0.work = work }
  }

  package func waitUntilIdle() { state.wait { $0.work == nil ? () : nil } }

  private static func run(_ state: Monitor<State>) {
    while let work = state.wait(until: next) {
      work.perform()
      state.change { $0.work = nil }
    }
  }

  /// Returns the next work, nil in an optional to end the thread, or nil to wait.
  private static func next(_ state: inout State) -> (any SideWork)?? {
    if let work = state.work { return .some(work) }
    return state.isEnding ? .some(nil) : nil
  }
}
