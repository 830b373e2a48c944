import Glibc
import TestSupport
import Testing

/// The memory of the test process, in bytes.
struct ProcessMemory {
  /// The maximum resident memory so far.
  ///
  /// `getrusage` is not suitable, because it starts with the value of the parent process.
  let peak: Int
  /// The resident memory.
  let resident: Int
  /// The size of the address space in use.
  let addressSpace: Int

  /// Reads the current values.
  init() throws {
    peak = try 1024 * #require(TestFile.number("VmHWM"))
    resident = try 1024 * #require(TestFile.number("VmRSS"))
    addressSpace = try 1024 * #require(TestFile.number("VmSize"))
  }

  /// Runs `body` while the process can allocate at most `spare` more bytes.
  static func limit(spare: Int, _ body: () throws -> Void) throws {
    var limit = rlimit()
    try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
    let before = limit
    limit.rlim_cur = rlim_t(try ProcessMemory().addressSpace + spare)
    try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
    defer {
      limit = before
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }
    try body()
  }
}
