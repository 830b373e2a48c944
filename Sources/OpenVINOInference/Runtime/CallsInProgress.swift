import Glibc
import Synchronization

/// The calls into OpenVINO that are in progress, which the end of the process has to wait for.
///
/// `exit` and the return from `main` destroy the static data of all libraries while the process's
/// other threads go on: one that loads a network, or runs one, would find what it uses gone. So from
/// then on no call begins, those in progress are waited for, and only then OpenVINO is taken apart.
enum CallsInProgress {
  private static let count = Atomic<Int>(0)
  private static let isEnding = Atomic<Bool>(false)
  /// A child that was forked off has none of the threads that were calling.
  private static let process = getpid()
  /// How many milliseconds the end of the process waits at most.
  ///
  /// The longest calls compile a network, in a second or some.
  private static let patience = 30_000
  /// How many milliseconds an end that has begun is given to come to a new handler.
  private static let moment = 5

  /// Whether the process is ending.
  static var areRefused: Bool { isEnding.load(ordering: .sequentiallyConsistent) }

  /// Makes a call; gives `refusal` instead when the process is ending.
  static func make<Result>(orAtExit refusal: Result, _ call: () -> Result) -> Result {
    // A caller that tries again and again must not delay the end.
    if areRefused { return refusal }
    count.add(1, ordering: .sequentiallyConsistent)
    defer { count.subtract(1, ordering: .sequentiallyConsistent) }
    return areRefused ? refusal : call()
  }

  /// Has the end of the process wait for calls before it destroys what was made until now.
  ///
  /// It undoes things in the opposite order: libraries that are opened later are taken apart earlier.
  /// Call it right after a library is opened, before anything in it is called. An end that began while
  /// the library was being opened has not waited, and may be taking it apart: it comes to this handler
  /// next, and has a moment to get there. Then no more calls are made. What nothing can hold back is an
  /// end within the milliseconds in which `dlopen` runs a library's own initialisers.
  static func finishBeforeExit() {
    register()
    for _ in 0..<moment where !areRefused { usleep(1000) }
  }

  /// Has the end of the process wait for calls, at least after all else.
  static func register() {
    // What is registered meanwhile is still called: a thread that goes on trying would never let it
    // come to its end.
    if areRefused { return }
    // Which it is, is found out now.
    _ = process
    atexit { CallsInProgress.end() }
  }

  private static func end() {
    isEnding.store(true, ordering: .sequentiallyConsistent)
    guard getpid() == process else { return }
    var waited = 0
    while count.load(ordering: .sequentiallyConsistent) > 0, waited < patience {
      usleep(1000)
      waited += 1
    }
  }
}
