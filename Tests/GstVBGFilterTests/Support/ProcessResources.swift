import CGStreamer
import Glibc
import TestSupport

/// The resources of the test process.
struct ProcessResources {
  /// The number of file descriptors.
  let descriptors: Int
  /// The number of threads.
  let threads: Int
  /// Resident memory in pages of 4096 bytes.
  let residentPages: Int

  /// Reads the current values.
  init() {
    descriptors = (0..<1024).count { fcntl($0, F_GETFD) != -1 }
    threads = Self.countThreads()
    residentPages = Self.countPages()
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

  private static func countThreads() -> Int {
    guard let folder = unsafe opendir("/proc/self/task") else { return 0 }
    defer { unsafe closedir(folder) }
    var count = 0
    while unsafe readdir(folder) != nil { count += 1 }
    return count - 2
  }

  private static func countPages() -> Int {
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard unsafe fgets(&line, CInt(line.count), file) != nil else { return 0 }
    let fields = line.split(separator: CChar(UInt8(ascii: " ")))
    return fields.count < 2
      ? 0 : fields[1].reduce(0) { $0 * 10 + Int($1) - Int(UInt8(ascii: "0")) }
  }
}
