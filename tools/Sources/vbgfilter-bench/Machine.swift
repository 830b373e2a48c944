#if canImport(Glibc)
  import Glibc
#endif
import OpenVINOInference
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
  /// The precision in which OpenVINO runs the networks, or nil if it is unknown.
  var precision: String?

  /// Reads the values from /proc, and loads the smallest network to find the precision.
  init() {
    let names = Self.lines(of: "/proc/cpuinfo").filter { $0.hasPrefix("model name") }
    processor =
      names.first?.split(separator: ":").last.map { String($0.drop { $0 == " " }) } ?? "unknown"
    load =
      Self.lines(of: "/proc/loadavg").first?.split(separator: " ").first.flatMap { Double($0) }
      ?? .nan
    let network = try? QualityNetworks(quality: .fast, size: .p360, threads: 1)
    precision = network.flatMap { OpenVINOModelLoader.precision(of: $0.usual) }.map(Self.name)
  }

  /// Returns a sentence about the machine, and about the settings that affect all measurements.
  func text(instructionSets: [InstructionSet], threads: Int) -> String {
    let sets = instructionSets.map(\.rawValue).joined(separator: " and ")
    return "Networks run in \(precision ?? "unknown precision") and pixel work with \(sets), "
      + "on \(threads) thread\(threads == 1 ? "" : "s") of \(processor) (\(cores) cores, "
      + "load \(load.written(digits: 1)))."
  }

  /// Returns the usual name of a precision that OpenVINO abbreviates.
  private static func name(_ precision: String) -> String {
    ["f32": "float32", "bf16": "bfloat16", "f16": "float16"][precision] ?? precision
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
    [
      "processor": .string(processor), "cores": .number(Double(cores)), "load": .number(load),
      "precision": .string(precision ?? ""),
    ]
  }
}
