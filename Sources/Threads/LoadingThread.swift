/// A thread on which loaders make what they are asked for, one thing after the other.
///
/// It starts with the first request and ends with `end`. Used by one thread at a time, as its loaders
/// are.
public final class LoadingThread {
  /// Gives the next job of a loader; of those that can wait until nothing is asked for, if `isIdle`.
  typealias Source = @Sendable (_ isIdle: Bool) -> (@Sendable () -> Void)?

  private struct State: Sendable {
    var sources: [Source] = []
    /// Whether the sources are to be asked for jobs.
    var hasNews = false
    var isEnding = false
  }

  private let name: String
  private let state = Monitor(State())
  /// Nil before the first request, and when the system has no thread.
  private var thread: DedicatedThread?

  /// Makes one that has not started yet; a debugger shows the name, of 15 bytes at most.
  public init(_ name: String) {
    self.name = name
  }

  deinit { end() }

  /// Adds a source of jobs; those that were added before it come first.
  func add(_ source: @escaping Source) {
    state.change { $0.sources.append(source) }
  }

  /// Has the thread ask its sources.
  func wake() {
    state.change { $0.hasNews = true }
    if thread == nil { thread = DedicatedThread(name) { [state] in Self.run(state) } }
    // Without a thread the work is done here: late, but done.
    if thread == nil { Self.work(state) }
  }

  /// Begins nothing more and waits for what is being made; to be called after the loaders' own.
  public func end() {
    // What the sources hold may hold this thread; it is released without the lock.
    let sources = state.change { state in
      defer { state.sources = [] }
      state.isEnding = true
      return state.sources
    }
    thread?.join()
    withExtendedLifetime(sources) {}
    thread = nil
  }

  private static func run(_ state: Monitor<State>) {
    while state.wait(until: hearsNews) { work(state) }
  }

  /// Whether to ask the sources now; false at the end, nil to wait.
  private static func hearsNews(_ state: inout State) -> Bool? {
    if state.isEnding { return false }
    guard state.hasNews else { return nil }
    state.hasNews = false
    return true
  }

  /// Does what there is to do now.
  private static func work(_ state: Monitor<State>) {
    while let job = nextJob(state.current) { job() }
  }

  private static func nextJob(_ state: State) -> (@Sendable () -> Void)? {
    if state.isEnding { return nil }
    for isIdle in [false, true] {
      for source in state.sources {
        if let job = source(isIdle) { return job }
      }
    }
    return nil
  }
}
