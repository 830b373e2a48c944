import Processor

/// Counts the instructions of each row kernel with valgrind.
///
/// Unlike times, the counts are the same in every run. Each count is the difference between a
/// process that calls one kernel and a process that calls no kernel. valgrind does not support
/// AVX-512.
struct InstructionBenchmark {
  /// The instruction counts of one kernel.
  struct KernelCount {
    var kernel: String
    /// The instructions per sample for each instruction set.
    var perSample: [(set: InstructionSet, count: Double)]
  }

  /// A name that is not a kernel's, so that the child process calls no kernel.
  private static let nothing = "nothing"
  /// The number of samples that the child process handles.
  ///
  /// It is large enough that variations of the process's start are irrelevant.
  private static let samples = 1_000_000

  private let sets: [InstructionSet]

  /// Creates the measurement for the instruction sets of the command line.
  init(options: BenchmarkOptions) {
    sets = options.instructionSets.filter { $0 != .avx512 }
  }

  /// Counts the instructions of each kernel.
  ///
  /// - Throws: `ChildProcess.Failure`, when valgrind cannot be run.
  func measure() throws -> [KernelCount] {
    let begin = try sets.map { try count(Self.nothing, $0) }
    return try RowKernelCalls().all.map { kernel in
      let calls = Double(Self.calls(of: kernel) * kernel.samples)
      let counts = try sets.enumerated().map { index, set in
        (set, try (count(kernel.name, set) - begin[index]) / calls)
      }
      return KernelCount(kernel: kernel.name, perSample: counts)
    }
  }

  /// Calls one kernel repeatedly, as the only work of the child process.
  static func call(_ name: String, options: BenchmarkOptions) {
    for kernel in RowKernelCalls().all where kernel.name == name {
      for set in options.instructionSets.prefix(1) {
        for _ in 0..<calls(of: kernel) { kernel.call(set.kernels) }
      }
    }
  }

  private static func calls(of kernel: RowKernelCalls.Kernel) -> Int { samples / kernel.samples }

  private func count(_ kernel: String, _ set: InstructionSet) throws -> Double {
    let lines = try ChildProcess.run([
      "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-fd=1",
      CommandLine.arguments[0], "--call", kernel, "--isa", set.rawValue,
    ])
    for line in lines {
      let words = line.split(separator: " ").suffix(3)
      if words.first == "Collected", let number = words.last.flatMap({ Double($0) }) {
        return number
      }
    }
    throw ChildProcess.Failure(sentence: "valgrind printed no count")
  }

  /// Returns a table with a row per kernel.
  static func table(of results: [KernelCount]) -> String {
    let sets = results.first?.perSample.map(\.set.rawValue) ?? []
    var table = TextTable(header: ["kernel"] + sets, words: 1)
    table.rows = results.map { result in
      [result.kernel] + result.perSample.map { $0.count.written(digits: 2) }
    }
    return table.text
  }
}

extension InstructionBenchmark.KernelCount: JSONConvertible {
  var json: JSON {
    .object(
      [JSON.Member(name: "kernel", value: .string(kernel))]
        + perSample.map { JSON.Member(name: $0.set.rawValue, value: .number($0.count)) })
  }
}
