import Glibc
import Threads

/// What OpenVINO's own threads compute, and for which inference.
///
/// OpenVINO runs an inference on the thread that asks for it, on threads of its own, or on both,
/// and does not say which. Those of its own are read at the beginning and the end of each
/// inference: what they computed in between was for the inferences that were running, in equal
/// shares, and what they computed while there was none was for the last one, after which they wait
/// in a loop for a while.
final class InferenceWorkers: Sendable {
  /// Those of the process.
  static let shared = InferenceWorkers { SystemClock.computed(by: $0) }

  /// What was computed for the inferences of one request, and not yet asked for.
  ///
  /// Safety: touched only with the lock of the workers held, which makes it Sendable.
  final class Account: @unchecked Sendable {
    fileprivate var nanoseconds: UInt64 = 0
    fileprivate var isNew = true
  }

  /// A thread that loads a network, and what it was called before.
  struct LoadingThread {
    fileprivate let thread: pid_t
    fileprivate let name: String
  }

  /// One of OpenVINO's threads.
  ///
  /// Safety: as for the accounts. A class, for an array's elements are not changed in place without an
  /// allocation by every build.
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
    /// Threads that load a network, under the name of those that they start.
    var loading: [pid_t] = []
  }

  /// The name of OpenVINO's threads: a thread has that of the one which starts it.
  private static let name = "vbgfilter-infer"

  private let state: Monitor<State>
  private let clock: @Sendable (pid_t) -> UInt64?

  /// Reads threads by a clock, which gives nil for those that have ended.
  init(clock: @escaping @Sendable (pid_t) -> UInt64?) {
    self.clock = clock
    var state = State()
    // Nothing is allocated while inferences run.
    state.running.reserveCapacity(64)
    self.state = Monitor(state)
  }

  // MARK: Finding the threads

  /// Threads that the calling one starts until `endLoading` are OpenVINO's; returns what that wants to
  /// know.
  func beginLoading() -> LoadingThread? {
    // The main thread's name is the program's.
    guard let thread = Self.callingThread, thread != getpid(), let name = Self.name(of: thread)
    else { return nil }
    state.withLock { $0.loading.append(thread) }
    Self.rename(thread, Self.name)
    return LoadingThread(thread: thread, name: name)
  }

  /// The threads that were started since are known from now on.
  func endLoading(_ loading: LoadingThread?) {
    guard let loading else { return }
    findThreads()
    Self.rename(loading.thread, loading.name)
    state.withLock { state in
      if let index = state.loading.firstIndex(of: loading.thread) {
        state.loading.remove(at: index)
      }
    }
  }

  /// Takes in threads, by their numbers, that are not known yet.
  func add(_ threads: [pid_t]) {
    state.withLock { state in
      for thread in threads where !state.loading.contains(thread) {
        let isKnown = state.workers.contains { $0.thread == thread }
        // What they have done so far, they did to get a network ready.
        guard !isKnown, let computed = clock(thread) else { continue }
        state.workers.append(Worker(thread: thread, computed: computed))
      }
    }
  }

  private func findThreads() {
    guard let list = unsafe opendir("/proc/self/task") else { return }
    defer { unsafe closedir(list) }
    var found: [pid_t] = []
    while let entry = unsafe readdir(list) {
      guard let thread = unsafe pid_t(RuntimeFolder.name(of: entry)),
        Self.name(of: thread) == Self.name
      else { continue }
      found.append(thread)
    }
    add(found)
  }

  // The functions of the C library for all this are not for Swift to see; the system's files are.

  private static var callingThread: pid_t? {
    var path = [CChar](repeating: 0, count: 64)
    let count = unsafe readlink("/proc/thread-self", &path, path.count)
    guard count > 0 else { return nil }
    let text = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.split(separator: "/").last.flatMap { pid_t($0) }
  }

  private static func name(of thread: pid_t) -> String? {
    let file = unsafe open("/proc/self/task/\(thread)/comm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe read(file, &bytes, bytes.count)
    // It ends with a new line.
    return count > 0 ? String(decoding: bytes.prefix(count - 1), as: UTF8.self) : nil
  }

  private static func rename(_ thread: pid_t, _ name: String) {
    let file = unsafe open("/proc/self/task/\(thread)/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    let bytes = Array(name.utf8)
    _ = unsafe write(file, bytes, bytes.count)
  }

  // MARK: Counting their work

  /// An inference begins.
  func begin(_ account: Account) {
    state.withLock { state in
      settle(&state)
      state.running.append(account)
    }
  }

  /// It is done.
  func end(_ account: Account) {
    let isFirst = state.withLock { state in
      settle(&state)
      var index = 0
      while index < state.running.count, state.running[index] !== account { index += 1 }
      if index < state.running.count { state.running.remove(at: index) }
      state.last = account
      defer { account.isNew = false }
      return account.isNew
    }
    // Some threads are started by others, a little later.
    if isFirst { findThreads() }
  }

  /// Nanoseconds that were computed since the last call.
  func take(_ account: Account) -> UInt64 {
    state.withLock { _ in
      defer { account.nanoseconds = 0 }
      return account.nanoseconds
    }
  }

  private func settle(_ state: inout State) {
    var sum: UInt64 = 0
    var hasEnded = false
    // By their numbers: builds for tests allocate for an iterator.
    var index = 0
    while index < state.workers.count {
      let worker = state.workers[index]
      let computed = clock(worker.thread)
      // Less: another thread got the number of one that has ended.
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
