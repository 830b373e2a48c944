import Glibc
import Synchronization

/// Counts the calls into OpenVINO, so that the end of the process can wait for them.
///
/// `exit` and the return from `main` destroy the static data of all libraries while other threads
/// continue. A thread that loads or runs a network would use destroyed data. So at exit new calls
/// are refused and current calls are awaited before OpenVINO's data is destroyed.
enum CallsInProgress {
  private static let count = Atomic<Int>(0)
  private static let isEnding = Atomic<Bool>(false)
  /// The process with the calling threads, which a forked child does not have.
  private static let process = getpid()
  /// The maximum wait at the end of the process, in milliseconds.
  ///
  /// The longest calls compile a network, which takes a second or more.
  private static let timeout = 30_000
  /// The time for an end in progress to reach a new handler, in milliseconds.
  private static let moment = 5

  /// Whether the process is ending.
  static var areRefused: Bool { isEnding.load(ordering: .sequentiallyConsistent) }

  /// Makes a call, or returns `refusal` if the process is ending.
  static func make<Result>(orAtExit refusal: Result, _ call: () -> Result) -> Result {
    // A caller that retries in a loop must not delay the end.
    if areRefused { return refusal }
    count.add(1, ordering: .sequentiallyConsistent)
    defer { count.subtract(1, ordering: .sequentiallyConsistent) }
    return areRefused ? refusal : call()
  }

  /// Makes the end of the process wait for calls before it destroys the current static data.
  ///
  /// Handlers run in the opposite order of registration, so libraries that are opened later are
  /// destroyed earlier. Call this right after opening a library and before calling it. If the
  /// process began to end during the opening, it has not waited and may be destroying the library.
  /// It reaches this handler next, and gets `moment` milliseconds to do so. No calls follow. One
  /// race remains: an end in the milliseconds in which `dlopen` runs a library's own initialisers.
  static func finishBeforeExit() {
    register()
    for _ in 0..<moment where !areRefused { usleep(1000) }
  }

  /// Makes the end of the process wait for calls, at least after everything else.
  static func register() {
    // Handlers that are registered during the end still run. A thread that keeps trying would delay
    // the end forever.
    if areRefused { return }
    // Initialise the process ID now.
    _ = process
    atexit { CallsInProgress.end() }
  }

  private static func end() {
    isEnding.store(true, ordering: .sequentiallyConsistent)
    guard getpid() == process else { return }
    var waited = 0
    while count.load(ordering: .sequentiallyConsistent) > 0, waited < timeout {
      usleep(1000)
      waited += 1
    }
  }
}
