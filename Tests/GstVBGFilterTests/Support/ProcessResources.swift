import Glibc
import TestSupport
import Testing

/// The resources of the test process.
struct ProcessResources {
  /// The number of file descriptors.
  let descriptors: Int
  let threads: Int
  /// Resident memory in pages of 4096 bytes.
  let residentPages: Int

  /// Reads the current values.
  init() {
    descriptors = (0..<1024).count { fcntl($0, F_GETFD) != -1 }
    threads = TestFile.number("Threads") ?? 0
    residentPages = (TestFile.number("VmRSS") ?? 0) / 4
  }

  /// The maximum resident memory so far, in bytes.
  ///
  /// `getrusage` is not suitable, because it starts with the value of the parent process.
  static func peakMemory() throws -> Int { try 1024 * #require(TestFile.number("VmHWM")) }

  /// Runs `body` while the process can allocate at most `spare` more bytes.
  static func limitMemory(spare: Int, _ body: () throws -> Void) throws {
    var limit = rlimit()
    try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
    let before = limit
    limit.rlim_cur = rlim_t(try 1024 * #require(TestFile.number("VmSize")) + spare)
    try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
    defer {
      limit = before
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }
    try body()
  }

  /// Waits until the process uses at most these resources plus the given tolerances.
  ///
  /// - Returns: a description of the resources in use if they stay higher, otherwise `nil`.
  func excess(threads: Int, descriptors: Int, pages: Int) -> String? {
    var now = self
    let isReached: Void? = try? Patience.wait(until: {
      now = ProcessResources()
      return now.threads <= self.threads + threads
        && now.descriptors <= self.descriptors + descriptors
        && now.residentPages <= residentPages + pages
    })
    return isReached == nil ? "before: \(self); now: \(now)" : nil
  }
}
