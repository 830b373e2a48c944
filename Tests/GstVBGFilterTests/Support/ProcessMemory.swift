import Glibc
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
    let file = unsafe try #require(fopen("/proc/self/status", "re"))
    defer { unsafe fclose(file) }
    let text = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 8192) { bytes in
      let count = unsafe fread(bytes.baseAddress, 1, bytes.count, file)
      return unsafe String(decoding: bytes[..<count], as: UTF8.self)
    }
    func number(_ name: String) throws -> Int {
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name):") })
      return try #require(Int(line.filter(\.isNumber))) * 1024
    }
    peak = try number("VmHWM")
    resident = try number("VmRSS")
    addressSpace = try number("VmSize")
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
