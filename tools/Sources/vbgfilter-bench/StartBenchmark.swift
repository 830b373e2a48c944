import Matting
import ToolSupport

/// Measures the time from NULL to the element's first frame, and the time of loading its networks
/// alone.
///
/// Each measurement runs in a new process, because only the first load in a process opens OpenVINO.
/// The kinds of measurements alternate.
struct StartBenchmark {
  /// The times of one configuration.
  struct StartTimes {
    var size: BenchmarkOptions.Size
    var effect: BenchmarkOptions.Effect
    var quality: Quality
    /// The time from NULL to the first output frame, in milliseconds.
    var firstFrame: Spread
    /// The time of loading the networks and of their first inference, in milliseconds.
    var load: Spread
    /// The time of `load` without the cache of compiled networks, in milliseconds.
    var uncachedLoad: Spread
  }

  private let options: BenchmarkOptions
  private static let maxStarts = 10

  /// Creates the measurements of the command line.
  init(options: BenchmarkOptions) {
    self.options = options
  }

  /// Measures each size, effect and quality.
  ///
  /// - Throws: `ChildProcess.Failure`, when the pipeline or the network fails.
  func measure() throws -> [StartTimes] {
    var results: [StartTimes] = []
    for size in options.sizes(else: [.p720]) {
      for effect in options.effects {
        for quality in options.qualities(else: Quality.allCases) {
          results += try measure(size: size, effect: effect, quality: quality)
        }
      }
    }
    return results
  }

  /// Loads the networks for the first size and quality, and prints the time in milliseconds.
  ///
  /// - Throws: `SegmentationError`, if a network cannot be loaded.
  static func loadAlone(options: BenchmarkOptions) throws(SegmentationError) {
    let began = MonotonicClock.now()
    // This includes the first inference of each network.
    _ = try QualityNetworks(
      quality: options.qualities(else: [.fast])[0], size: options.sizes(else: [.p720])[0],
      threads: options.threads)
    print("load", MonotonicClock.milliseconds(since: began))
  }

  private func measure(
    size: BenchmarkOptions.Size, effect: BenchmarkOptions.Effect, quality: Quality
  ) throws -> [StartTimes] {
    let pipeline = [
      SourceTree.python, "-B", "-s", SourceTree.script("measurement/pipelines.py"), "start",
      "--width",
      "\(size.width)", "--height", "\(size.height)", "--effect", effect.rawValue, "--quality",
      quality.rawValue, "--threads", "\(options.threads)",
    ]
    let load = [
      CommandLine.arguments[0], "--load-alone", "--sizes", size.rawValue, "--qualities",
      quality.rawValue, "--threads", "\(options.threads)",
    ]
    var firstFrame: [Double] = []
    var loads: [Double] = []
    var uncachedLoads: [Double] = []
    // Do not count the first run, which fills the file cache and the cache of compiled networks.
    for number in 0...min(options.frames, Self.maxStarts) {
      let times = (
        try milliseconds(of: pipeline), try milliseconds(of: load),
        try milliseconds(of: ["env", "VBGFILTER_CACHE=0"] + load)
      )
      if number == 0 { continue }
      firstFrame.append(times.0)
      loads.append(times.1)
      uncachedLoads.append(times.2)
    }
    guard let firstFrame = Spread(of: firstFrame), let load = Spread(of: loads),
      let uncachedLoad = Spread(of: uncachedLoads)
    else { return [] }
    return [
      StartTimes(
        size: size, effect: effect, quality: quality, firstFrame: firstFrame, load: load,
        uncachedLoad: uncachedLoad)
    ]
  }

  private func milliseconds(of command: [String]) throws -> Double {
    let numbers = try ChildProcess.run(command).compactMap(PipelineBenchmark.number)
    guard let number = numbers.first else {
      throw ChildProcess.Failure(sentence: "\(command[0]) printed no time")
    }
    return number.value
  }

  /// Returns a table with a row per configuration.
  static func table(of results: [StartTimes]) -> String {
    var table = TextTable(
      header: [
        "size", "effect", "quality", "first frame", "10%-90%", "load alone", "10%-90%",
        "uncached", "10%-90%", "first / uncached",
      ], words: 3)
    for result in results {
      table.rows.append([
        result.size.rawValue, result.effect.rawValue, result.quality.rawValue,
        result.firstFrame.median.milliseconds, result.firstFrame.range(digits: 0),
        result.load.median.milliseconds, result.load.range(digits: 0),
        result.uncachedLoad.median.milliseconds, result.uncachedLoad.range(digits: 0),
        (result.firstFrame.median / result.uncachedLoad.median).written(digits: 2),
      ])
    }
    return table.text
  }
}

extension StartBenchmark.StartTimes: JSONConvertible {
  var json: JSON {
    [
      "size": .string(size.rawValue),
      "effect": .string(effect.rawValue),
      "quality": .string(quality.rawValue),
      "first_frame_ms": firstFrame.json,
      "load_alone_ms": load.json,
      "uncached_load_alone_ms": uncachedLoad.json,
    ]
  }
}
