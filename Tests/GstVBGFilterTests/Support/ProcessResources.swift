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
    threads = TestFile.number("Threads") ?? 0
    residentPages = (TestFile.number("VmRSS") ?? 0) / 4
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
