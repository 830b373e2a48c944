/// A thread that creates the products of loaders, one at a time.
///
/// It starts with the first request and ends with `end`. Neither the thread nor its loaders are
/// thread-safe.
public final class LoadingThread {
  /// Returns the next job of a loader: an idle job if `isIdle`, otherwise a requested one.
  typealias Source = @Sendable (_ isIdle: Bool) -> (@Sendable () -> Void)?

  private struct State: Sendable {
    var sources: [Source] = []
    /// Whether the thread must check the sources for jobs.
    var mustCheckSources = false
    var isEnding = false
  }

  private let name: String
  private let state = Monitor(State())
  /// The thread, or nil before the first request or if the system cannot create a thread.
  private var thread: DedicatedThread?

  /// Creates a thread that has not started.
  ///
  /// Debuggers show up to 15 bytes of the name.
  public init(_ name: String) { self.name = name }

  deinit { end() }

  /// Adds a source of jobs, which has a lower priority than earlier sources.
  func add(_ source: @escaping Source) { state.change { $0.sources.append(source) } }

  /// Wakes the thread, which then checks its sources.
  func wake() {
    state.change { $0.mustCheckSources = true }
    if thread == nil { thread = DedicatedThread(name) { [state] in Self.run(state) } }
    // Without a thread, do the work here.
    if thread == nil { Self.work(state) }
  }

  /// Starts no more jobs and waits for the current one.
  ///
  /// End the loaders before this.
  public func end() {
    // The sources may own this thread indirectly. Release them after unlocking.
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
    while state.wait(until: nextStep) { work(state) }
  }

  /// Returns true to check the sources now, false to end the thread, nil to wait.
  private static func nextStep(_ state: inout State) -> Bool? {
    if state.isEnding { return false }
    guard state.mustCheckSources else { return nil }
    state.mustCheckSources = false
    return true
  }

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
