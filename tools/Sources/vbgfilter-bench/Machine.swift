#if canImport(Glibc)
  import Glibc
#endif
import Processor

/// A description of the machine that runs the measurements.
struct Machine {
  /// The processor's name in /proc/cpuinfo.
  var processor: String
  /// The number of processors that this process may use.
  var cores = UsableCores.count()
  /// The load average of the last minute.
  ///
  /// Measurements are most reliable if it is 0.
  var load: Double

  /// Reads the values from /proc.
  init() {
    let names = Self.lines(of: "/proc/cpuinfo").filter { $0.hasPrefix("model name") }
    processor =
      names.first?.split(separator: ":").last.map { String($0.drop { $0 == " " }) } ?? "unknown"
    load =
      Self.lines(of: "/proc/loadavg").first?.split(separator: " ").first.flatMap { Double($0) }
      ?? .nan
  }

  /// The description as a line of text.
  var text: String {
    let sets = InstructionSet.available.map(\.rawValue).joined(separator: ", ")
    return "\(processor), \(cores) cores, \(sets); load \(load.written(digits: 1))"
  }

  private static func lines(of path: String) -> [String] {
    guard let file = unsafe fopen(path, "r") else { return [] }
    defer { unsafe fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { unsafe free(line) }
    var lines: [String] = []
    while unsafe getline(&line, &capacity, file) > 0, let line = unsafe line {
      lines.append(unsafe String(cString: line).split(separator: "\n").first.map(String.init) ?? "")
    }
    return lines
  }
}

extension Machine: JSONConvertible {
  var json: JSON {
    ["processor": .string(processor), "cores": .number(Double(cores)), "load": .number(load)]
  }
}
