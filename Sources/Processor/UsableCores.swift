import CProcessor

#if canImport(Glibc)
  import Glibc
#endif

/// How many processor cores this process may keep busy.
public enum UsableCores {
  /// The processors that the calling thread may run on, or fewer where the control group grants the
  /// process less time than that; at least 1.
  public static func count() -> Int {
    let processors = Int(cpu_count())
    guard let quota = quota(controlGroup: text(of: "/proc/self/cgroup") ?? "", text: text)
    else { return processors }
    return min(processors, max(Int(quota.rounded(.up)), 1))
  }

  /// The cores' worth of time that the control group and those around it grant; nil for no limit.
  ///
  /// Linux, Documentation/admin-guide/cgroup-v2.rst, `cpu.max`; for version 1 the pair of
  /// `cpu.cfs_quota_us` and `cpu.cfs_period_us`.
  static func quota(controlGroup: String, text: (String) -> String?) -> Double? {
    var least: Double?
    func limit(by quota: Substring?, per period: Substring?) {
      guard let quota, let period, let time = Double(quota), let span = Double(period),
        time > 0, span > 0
      else { return }
      least = min(least ?? .infinity, time / span)
    }
    // "0::/a/b" is the process's group in version 2; a container may see it as "/".
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

  /// The beginning of a small file.
  private static func text(of path: String) -> String? {
    guard let file = unsafe fopen(path, "re") else { return nil }
    defer { unsafe fclose(file) }
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { bytes in
      let count = unsafe fread(bytes.baseAddress, 1, bytes.count, file)
      return unsafe String(decoding: bytes[..<count], as: UTF8.self)
    }
  }
}
