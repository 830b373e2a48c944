import Glibc
import Testing

/// The memory of the test process, in bytes.
struct ProcessMemory {
  /// The most that was resident at any time.
  ///
  /// `getrusage` would begin with that of the process that started this one.
  let peak: Int
  /// What is resident.
  let resident: Int
  /// All of the address space that is taken.
  let addressSpace: Int

  /// What it is at the moment.
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

  /// Does something while the process cannot take more than so many bytes besides those that it has.
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
