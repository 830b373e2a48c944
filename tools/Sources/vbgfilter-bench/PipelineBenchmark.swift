import Matting

/// Measures the element in GStreamer pipelines, with the script
/// `meson-helper/measurement/pipelines.py`.
///
/// The script runs in a separate process. So it loads the plugin like any application, and the
/// growth of its memory is due to the pipeline.
struct PipelineBenchmark {
  /// A run of the script.
  struct ScriptRun {
    /// The configuration.
    var subject: [(name: String, value: String)]
    /// The numbers that the script printed.
    var numbers: [(name: String, value: Double)]
  }

  private let options: BenchmarkOptions

  /// Creates the measurements of the command line.
  init(options: BenchmarkOptions) {
    self.options = options
  }

  /// Measures the frames per second, for each size, effect and quality.
  ///
  /// - Throws: `ChildProcess.Failure`, when the pipeline fails.
  func throughput() throws -> [ScriptRun] {
    try runs(sizes: options.sizes(else: [.p2160]), effects: options.effects) {
      ["throughput", "--frames", "\($0.frames)"]
    }
  }

  /// Measures the late frames and the memory of `count` live streams in one process.
  ///
  /// - Throws: `ChildProcess.Failure`, when a pipeline fails.
  func streams(_ count: Int) throws -> [ScriptRun] {
    try runs(sizes: options.sizes(else: [.p720]), effects: liveEffects) {
      ["streams", "--streams", "\(count)", "--seconds", "\($0.seconds)"]
    }
  }

  /// Measures the frames shown in time while other programs load the cores.
  ///
  /// Runs without and with `adaptive`.
  ///
  /// - Throws: `ChildProcess.Failure`, when a pipeline fails.
  func load() throws -> [ScriptRun] {
    try runs(
      sizes: options.sizes(else: [.p720]), effects: liveEffects,
      qualities: options.qualities(else: [.accurate])
    ) {
      ["load", "--seconds", "\($0.seconds)"]
    }
  }

  /// Measures the CPU seconds per second of a clip, for each size, effect and quality.
  ///
  /// - Throws: `ChildProcess.Failure`, when the clip cannot be read or a pipeline fails.
  func clip(_ path: String) throws -> [ScriptRun] {
    try runs(
      sizes: options.sizes(else: [.p1080]), effects: liveEffects,
      qualities: options.qualities(else: Quality.allCases)
    ) {
      // The first second is not measured.
      ["clip", "--clip", path, "--frames", "\(max($0.frames, 60))"]
    }
  }

  /// Measures the CPU time per frame of each scene, for each size, effect and quality.
  ///
  /// - Throws: `ChildProcess.Failure`, when a pipeline fails.
  func scenes() throws -> [ScriptRun] {
    try runs(
      sizes: options.sizes(else: [.p720]), effects: liveEffects,
      qualities: options.qualities(else: Quality.allCases)
    ) {
      ["scenes", "--frames", "\($0.frames)"]
    }
  }

  /// Counts late frames, and frames that show the real background, during random property changes.
  ///
  /// `count` is the number of changes.
  ///
  /// - Throws: `ChildProcess.Failure`, when a pipeline fails.
  func changes(_ count: Int) throws -> [ScriptRun] {
    try runs(sizes: options.sizes(else: [.p720]), effects: liveEffects) { _ in
      ["changes", "--changes", "\(count)"]
    }
  }

  private var liveEffects: [BenchmarkOptions.Effect] {
    options.effects == BenchmarkOptions.Effect.allCases ? [.blur] : options.effects
  }

  private func runs(
    sizes: [BenchmarkOptions.Size], effects: [BenchmarkOptions.Effect], qualities: [Quality]? = nil,
    arguments: (BenchmarkOptions) -> [String]
  ) throws -> [ScriptRun] {
    var runs: [ScriptRun] = []
    for size in sizes {
      let frames = SampleFrames(size: size)
      guard let file = TemporaryFile(), frames.write(to: file.path) else {
        throw ChildProcess.Failure(sentence: "the frames cannot be written to a temporary file")
      }
      for effect in effects {
        for quality in qualities ?? options.qualities(else: [.fast]) {
          let lines = try ChildProcess.run(
            [SourceTree.python, "-B", "-s", SourceTree.script("measurement/pipelines.py")]
              + arguments(options)
              + [
                "--width", "\(size.width)", "--height", "\(size.height)", "--effect",
                effect.rawValue, "--quality", quality.rawValue, "--threads", "\(options.threads)",
                "--picture", file.path,
              ] + options.properties.flatMap { ["--set", $0] })
          let subject = [
            ("size", size.rawValue), ("effect", effect.rawValue), ("quality", quality.rawValue),
          ]
          runs.append(ScriptRun(subject: subject, numbers: lines.compactMap(Self.number)))
        }
      }
    }
    return runs
  }

  /// Parses a line that consists of a name, a space and a number.
  ///
  /// Returns nil for other lines.
  static func number(_ line: String) -> (name: String, value: Double)? {
    let words = line.split(separator: " ")
    guard words.count == 2, let value = Double(words[1]) else { return nil }
    return (String(words[0]), value)
  }

  /// Returns a table with a row per run.
  static func table(of runs: [ScriptRun]) -> String {
    guard let first = runs.first else { return "" }
    var table = TextTable(
      header: first.subject.map(\.name) + first.numbers.map(\.name), words: first.subject.count)
    for run in runs where run.numbers.count == first.numbers.count {
      table.rows.append(
        run.subject.map(\.value)
          + run.numbers.map { $0.value.written(digits: $0.value == $0.value.rounded() ? 0 : 2) })
    }
    return table.text
  }
}

extension PipelineBenchmark.ScriptRun: JSONConvertible {
  var json: JSON {
    .object(
      subject.map { JSON.Member(name: $0.name, value: .string($0.value)) }
        + numbers.map { JSON.Member(name: $0.name, value: .number($0.value)) })
  }
}
