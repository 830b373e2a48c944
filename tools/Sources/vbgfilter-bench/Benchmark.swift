#if canImport(Glibc)
  import Glibc
#endif
import Matting
import ToolSupport

/// Measures the cost of a frame by stages, and compares it with a lower bound and with other
/// programs.
@main struct Benchmark {
  private let options: BenchmarkOptions
  private var report: [JSON.Member]

  static func main() {
    do {
      let options = try BenchmarkOptions(Array(CommandLine.arguments.dropFirst()))
      if options.help { return print(BenchmarkOptions.usage) }
      SourceTree.prepareEnvironment()
      if let kernel = options.call {
        return InstructionBenchmark.call(kernel, options: options)
      }
      if options.loadAlone { return try StartBenchmark.loadAlone(options: options) }
      var benchmark = Benchmark(options: options)
      try benchmark.run()
    } catch let error as UsageError {
      fail("\(error.sentence); see --help")
    } catch let error as SegmentationError {
      fail(error.description)
    } catch let failure as ChildProcess.Failure {
      fail(failure.sentence)
    } catch {
      fail("\(error)")
    }
  }

  private init(options: BenchmarkOptions) {
    self.options = options
    let machine = Machine()
    report = [
      JSON.Member(name: "machine", value: machine.json),
      JSON.Member(name: "threads", value: .number(Double(options.threads))),
      JSON.Member(name: "frames", value: .number(Double(options.frames))),
    ]
    Self.printNow(
      machine.text(instructionSets: options.usedInstructionSets, threads: options.threads))
    Self.printNow("\(options.frames) frames per measurement, times in milliseconds")
  }

  /// Runs all measurements that the options select.
  ///
  /// Writes the report even if a measurement fails.
  private mutating func run() throws {
    do {
      try measure()
    } catch {
      try writeReport()
      throw error
    }
    try writeReport()
  }

  private mutating func measure() throws {
    if options.table { try measureCosts() }
    if options.pipeline {
      let runs = try PipelineBenchmark(options: options).throughput()
      Self.printNow(
        "\nThe element in a pipeline, frames per second\n" + PipelineBenchmark.table(of: runs))
      add("pipeline", runs)
    }
    if options.start {
      let results = try StartBenchmark(options: options).measure()
      Self.printNow("\nFrom NULL to the first frame\n" + StartBenchmark.table(of: results))
      add("start", results)
    }
    if options.instructions {
      let results = try InstructionBenchmark(options: options).measure()
      Self.printNow("\nInstructions per sample\n" + InstructionBenchmark.table(of: results))
      add("instructions", results)
    }
    if let streams = options.streams {
      let runs = try PipelineBenchmark(options: options).streams(streams)
      Self.printNow("\nLive streams in one process\n" + PipelineBenchmark.table(of: runs))
      add("streams", runs)
    }
    if options.load {
      let runs = try PipelineBenchmark(options: options).load()
      Self.printNow(
        "\nA live stream of 30 frames per second on busy cores\n"
          + PipelineBenchmark.table(of: runs))
      add("load", runs)
    }
    if let clip = options.clipPath {
      let runs = try PipelineBenchmark(options: options).clip(clip)
      Self.printNow(
        "\nA clip at 30 frames per second, cores in use\n"
          + PipelineBenchmark.table(of: runs))
      add("clip", runs)
    }
    if options.scenes {
      let runs = try PipelineBenchmark(options: options).scenes()
      Self.printNow(
        "\nScenes, milliseconds of CPU time per frame\n" + PipelineBenchmark.table(of: runs))
      add("scenes", runs)
    }
    if let changes = options.changes {
      let runs = try PipelineBenchmark(options: options).changes(changes)
      Self.printNow(
        "\nA live stream with property changes\n" + PipelineBenchmark.table(of: runs))
      add("changes", runs)
    }
    if options.peer {
      let results = try PeerBenchmark(options: options).measure()
      Self.printNow(
        "\nCompared with MediaPipe and OpenCV in Python\n" + PeerBenchmark.table(of: results))
      add("peer", results)
    }
    if let clip = options.peerClipPath {
      let results = try PeerBenchmark(options: options, clip: clip).measure()
      Self.printNow(
        "\nCompared with MediaPipe and OpenCV in Python on \(clip), means\n"
          + PeerBenchmark.table(of: results))
      add("peer_clip", results)
    }
  }

  private func writeReport() throws {
    if let path = options.jsonPath { try write(JSON.object(report).text + "\n", to: path) }
  }

  private mutating func measureCosts() throws {
    var costs: [FrameCost] = []
    let sizes = options.sizes(else: BenchmarkOptions.Size.allCases)
    let qualities = options.qualities(else: Quality.allCases)
    let began = MonotonicClock.now()
    var done = 0
    for size in sizes {
      let frames = SampleFrames(size: size)
      for quality in qualities {
        // The estimate of the remaining time is a lower bound, because larger sizes take longer.
        let all = sizes.count * qualities.count
        let left =
          MonotonicClock.milliseconds(since: began) / Double(max(done, 1)) * Double(all - done)
        StandardError.write(
          line: "measuring \(size.rawValue), \(quality.rawValue), on \(frames.origin): "
            + "\(done + 1) of \(all)"
            + (done == 0 ? "" : ", at least \(Int(left / 1000)) s left"))
        done += 1
        let benchmark = try FrameBenchmark(
          frames: frames, size: size, quality: quality, options: options)
        costs += try benchmark.measure(frames: options.frames)
      }
    }
    let report = CostReport(costs: costs)
    Self.printNow("\n" + report.summary)
    Self.printNow(
      "Stages: medians, and ranges of the 10th to 90th percentiles. ratio = whole / (inference alone "
        + "+ copy):\nof the medians, the range over the rounds, and of the 10th percentiles\n"
        + report.stages)
    if let pixels = report.pixels {
      Self.printNow("\nPixel work: all stages except the inference\n" + pixels)
    }
    add("frames", costs)
    let path = options.svgPath ?? SourceTree.dependencies + "/stages.svg"
    try write(StageChart(costs: costs).svg, to: path)
    Self.printNow("A chart of the stages was written to \(path)")
  }

  private mutating func add(_ name: String, _ results: [any JSONConvertible]) {
    report.append(JSON.Member(name: name, value: .array(results.map(\.json))))
  }

  private func write(_ text: String, to path: String) throws {
    guard let file = unsafe fopen(path, "w") else {
      throw ChildProcess.Failure(sentence: "\(path) cannot be written")
    }
    let isWritten = unsafe fputs(text, file) >= 0
    guard unsafe fclose(file) == 0, isWritten else {
      throw ChildProcess.Failure(sentence: "\(path) cannot be written")
    }
  }

  /// Prints a result and flushes the output, which is buffered if it is a pipe.
  private static func printNow(_ text: String) {
    print(text)
    fflush(nil)
  }

  private static func fail(_ sentence: String) -> Never {
    StandardError.fail(sentence, in: "vbgfilter-bench")
  }
}
