import Glibc
import Threads

/// Measures the CPU time of OpenVINO's own threads per inference.
///
/// OpenVINO runs an inference on the calling thread, on its own threads, or on both, and does not
/// report which. This class reads the CPU clocks of OpenVINO's threads at the beginning and the end
/// of each inference:
/// - The time in between is shared equally among the running inferences.
/// - Time without a running inference counts for the last one, because the threads continue to wait
///   in a loop for a while.
final class InferenceWorkers: Sendable {
  static let shared = InferenceWorkers { SystemClock.computed(by: $0) }

  /// The CPU time of one request's inferences that `take` has not returned yet.
  ///
  /// Safety: Sendable because it is accessed only while the lock of `InferenceWorkers` is held.
  final class Account: @unchecked Sendable {
    fileprivate var nanoseconds: UInt64 = 0
    fileprivate var isNew = true
  }

  /// One of OpenVINO's threads.
  ///
  /// Safety: Sendable for the same reason as `Account`. This is a class because some builds
  /// allocate memory when they change an array's elements in place.
  private final class Worker: @unchecked Sendable {
    let thread: pid_t
    var computed: UInt64

    init(thread: pid_t, computed: UInt64) {
      self.thread = thread
      self.computed = computed
    }
  }

  private struct State: Sendable {
    var workers: [Worker] = []
    var running: [Account] = []
    var last: Account?
    /// Threads that load a network, renamed to the name of OpenVINO's threads.
    var loading: [pid_t] = []
  }

  /// The name of OpenVINO's threads, which inherit it from the thread that starts them.
  private static let name = "vbgfilter-infer"

  private let state: Monitor<State>
  private let clock: @Sendable (pid_t) -> UInt64?

  /// Creates an object with a clock, which returns nil for a thread that has ended.
  init(clock: @escaping @Sendable (pid_t) -> UInt64?) {
    self.clock = clock
    var state = State()
    // Reserve memory now, to avoid allocations while inferences run.
    state.running.reserveCapacity(64)
    self.state = Monitor(state)
  }

  // MARK: Finding the threads

  /// Marks the threads that the calling thread starts until `endLoading` as OpenVINO's.
  ///
  /// Returns the thread and its original name, to pass to `endLoading`.
  func beginLoading() -> (thread: pid_t, name: String)? {
    // The main thread's name is the program's name.
    guard let thread = Self.callingThread, thread != getpid(), let name = Self.name(of: thread)
    else { return nil }
    state.withLock { $0.loading.append(thread) }
    DedicatedThread.setName(Self.name)
    return (thread, name)
  }

  /// Registers the threads that were started since `beginLoading`, which the same thread called.
  func endLoading(_ loading: (thread: pid_t, name: String)?) {
    guard let loading else { return }
    findThreads()
    DedicatedThread.setName(loading.name)
    state.withLock { $0.loading.removeAll { $0 == loading.thread } }
  }

  /// Adds threads by their IDs, unless they are already known.
  func add(_ threads: [pid_t]) {
    state.withLock { state in
      for thread in threads where !state.loading.contains(thread) {
        let isKnown = state.workers.contains { $0.thread == thread }
        // Ignore the earlier work of the threads, which prepared a network.
        guard !isKnown, let computed = clock(thread) else { continue }
        state.workers.append(Worker(thread: thread, computed: computed))
      }
    }
  }

  private func findThreads() {
    add(
      RuntimeFolder.names(in: "/proc/self/task").compactMap { pid_t($0) }
        .filter { Self.name(of: $0) == Self.name })
  }

  // Swift does not import the C library's functions for this, so use the system's files.

  private static var callingThread: pid_t? {
    ImageFile.realPath("/proc/thread-self")?.split(separator: "/").last.flatMap { pid_t($0) }
  }

  private static func name(of thread: pid_t) -> String? {
    // The content ends with a newline.
    ImageFile.text(of: "/proc/self/task/\(thread)/comm").map { String($0.dropLast()) }
  }

  // MARK: Counting their work

  func begin(_ account: Account) {
    state.withLock { state in
      distributeTime(&state)
      state.running.append(account)
    }
  }

  func end(_ account: Account) {
    let isFirst = state.withLock { state in
      distributeTime(&state)
      var index = 0
      while index < state.running.count, state.running[index] !== account { index += 1 }
      if index < state.running.count { state.running.remove(at: index) }
      state.last = account
      defer { account.isNew = false }
      return account.isNew
    }
    // OpenVINO's threads start more threads slightly after `endLoading`.
    if isFirst { findThreads() }
  }

  /// Returns the CPU time since the last call, in nanoseconds.
  func take(_ account: Account) -> UInt64 {
    state.withLock { _ in
      defer { account.nanoseconds = 0 }
      return account.nanoseconds
    }
  }

  private func distributeTime(_ state: inout State) {
    var sum: UInt64 = 0
    var hasEnded = false
    // Use an index: test builds allocate for an iterator.
    var index = 0
    while index < state.workers.count {
      let worker = state.workers[index]
      let computed = clock(worker.thread)
      // A smaller value means that a new thread has the ID of an ended one.
      if let computed, computed > worker.computed { sum &+= computed - worker.computed }
      worker.computed = computed ?? 0
      if computed == nil { hasEnded = true }
      index += 1
    }
    if hasEnded { state.workers.removeAll { clock($0.thread) == nil } }
    let count = state.running.count
    if count == 0 { state.last?.nanoseconds &+= sum }
    index = 0
    while index < count {
      state.running[index].nanoseconds &+= sum / UInt64(count)
      index += 1
    }
  }
}
