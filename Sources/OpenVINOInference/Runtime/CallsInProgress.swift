import Glibc
import Synchronization

/// Counts the calls into OpenVINO, so that the end of the process can wait for them.
///
/// `exit` and the return from `main` destroy the static data of all libraries while other threads
/// continue. A thread that loads or runs a network would use destroyed data. At exit, this type
/// therefore refuses new calls, and waits for current calls before OpenVINO's data is destroyed.
enum CallsInProgress {
  private static let count = Atomic<Int>(0)
  private static let isEnding = Atomic<Bool>(false)
  /// The ID of this process.
  ///
  /// A forked child has another ID, and does not have the calling threads.
  private static let process = getpid()
  /// The maximum wait at the end of the process, in milliseconds.
  ///
  /// The longest calls compile a network, which takes a second or more.
  private static let timeout = 30_000
  /// The time in milliseconds that a process that is already ending needs to reach a new handler.
  private static let moment = 5

  /// Whether the process is ending.
  static var areRefused: Bool { isEnding.load(ordering: .sequentiallyConsistent) }

  /// Returns the result of `call`, or `refusal` without a call if the process is ending.
  static func make<Result>(orAtExit refusal: Result, _ call: () -> Result) -> Result {
    // A caller that retries in a loop must not delay the end.
    if areRefused { return refusal }
    count.add(1, ordering: .sequentiallyConsistent)
    defer { count.subtract(1, ordering: .sequentiallyConsistent) }
    return areRefused ? refusal : call()
  }

  /// Registers an exit handler that waits for calls before the current static data is destroyed.
  ///
  /// Call this right after opening a library, and before calling it: exit handlers run in reverse
  /// order of registration.
  ///
  /// The process may have begun to end while the library was opened. It has then not waited, and
  /// may be destroying the library. This function gives it `moment` milliseconds to reach the new
  /// handler, after which no calls are made.
  ///
  /// One race remains: the process may end while `dlopen` runs a library's own initialisers.
  static func finishBeforeExit() {
    register()
    for _ in 0..<moment where !areRefused { usleep(1000) }
  }

  /// Registers an exit handler that waits for calls.
  static func register() {
    // Handlers that are registered during the end still run. A thread that registers them in a loop
    // would delay the end forever.
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
