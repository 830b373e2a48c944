import CProcessor
import Glibc

/// The number of processor cores that this process can keep busy.
public enum UsableCores {
  /// Returns the number of usable processors, at least 1.
  ///
  /// It is the number of processors that the calling thread may run on, or the control group's
  /// quota of processor time if that is smaller.
  public static func count() -> Int {
    let processors = Int(cpu_count())
    guard let quota = quota(controlGroup: text(of: "/proc/self/cgroup") ?? "", text: text)
    else { return processors }
    return min(processors, max(Int(quota.rounded(.up)), 1))
  }

  /// Returns the smallest quota of the control group and its ancestors, in cores, or nil for no
  /// limit.
  ///
  /// Linux, Documentation/admin-guide/cgroup-v2.rst, `cpu.max`. For version 1: `cpu.cfs_quota_us`
  /// and `cpu.cfs_period_us`.
  static func quota(controlGroup: String, text: (String) -> String?) -> Double? {
    var least: Double?
    func limit(by quota: Substring?, per period: Substring?) {
      guard let quota, let period, let time = Double(quota), let span = Double(period),
        time > 0, span > 0
      else { return }
      least = min(least ?? .infinity, time / span)
    }
    // "0::/a/b" is the process's group in version 2. In a container it can be "/".
    let line = controlGroup.split(separator: "\n").first { $0.hasPrefix("0::/") }
    var folder = (line?.dropFirst(3)).map { $0 == "/" ? "" : String($0) } ?? ""
    while true {
      let words = text("/sys/fs/cgroup\(folder)/cpu.max")?.split { $0 == " " || $0 == "\n" }
      if let words, words.count == 2 { limit(by: words[0], per: words[1]) }
      guard let end = folder.lastIndex(of: "/") else { break }
      folder = String(folder[..<end])
    }
    func first(_ name: String) -> Substring? {
      text("/sys/fs/cgroup/cpu/\(name)")?.split(separator: "\n").first
    }
    limit(by: first("cpu.cfs_quota_us"), per: first("cpu.cfs_period_us"))
    return least
  }

  /// Returns up to 4096 bytes of a file as text.
  private static func text(of path: String) -> String? {
    guard let file = unsafe fopen(path, "re") else { return nil }
    defer { unsafe fclose(file) }
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { bytes in
      let count = unsafe fread(bytes.baseAddress, 1, bytes.count, file)
      return unsafe String(decoding: bytes[..<count], as: UTF8.self)
    }
  }
}
