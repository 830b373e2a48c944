import Matting
import Processor

/// Compares vbgfilter with a peer, `meson-helper/measurement/peer.py`: MediaPipe and OpenCV in
/// Python.
///
/// - Both take turns, as in `FrameBenchmark`.
/// - The peer starts with an RGB frame. The conversions from NV12 and back are measured separately,
///   and the ratios exclude them.
/// - For a clip, the ratios use means, because only some of its frames have an inference.
struct PeerBenchmark {
  /// A way in which the peer replaces or blurs the background.
  enum Recipe: String, CaseIterable {
    case tutorial, best
  }

  /// The times per frame in one configuration.
  struct Comparison {
    var size: BenchmarkOptions.Size
    var effect: BenchmarkOptions.Effect
    var quality: Quality
    /// The path of the clip, or nil for the sample.
    var clip: String?
    /// The time of vbgfilter's engine, in milliseconds.
    var ours: Spread
    /// The time of an inference alone and a copy of the frame, in milliseconds.
    ///
    /// For a clip this is not a lower bound, because not every frame needs an inference.
    var limit: Double
    /// The time of each recipe, in milliseconds.
    var theirs: [Recipe: Spread]
    /// The time of the conversions from NV12 to RGB and back, in milliseconds.
    var conversion: Spread

    /// Returns the value that represents all frames: the median, or the mean for a clip.
    func center(of spread: Spread) -> Double { clip == nil ? spread.median : spread.mean }
  }

  private let options: BenchmarkOptions
  private let clip: String?
  private static let framesPerTurn = 10

  /// Creates the measurements of the command line, on frames of `clip` or, if it is nil, of the
  /// sample.
  init(options: BenchmarkOptions, clip: String? = nil) {
    self.options = options
    self.clip = clip
  }

  /// Measures each size, effect and quality.
  ///
  /// - Throws: `SegmentationError`, or `ChildProcess.Failure` if MediaPipe's package cannot be
  ///   used.
  func measure() throws -> [Comparison] {
    var results: [Comparison] = []
    for size in options.sizes(else: [.p1080]) {
      for quality in options.qualities(else: [.fast]) {
        results += try measure(size: size, quality: quality)
      }
    }
    return results
  }

  private func measure(size: BenchmarkOptions.Size, quality: Quality) throws -> [Comparison] {
    let frames =
      if let clip { try SampleFrames(size: size, clip: clip) } else { SampleFrames(size: size) }
    guard let file = TemporaryFile(), frames.write(to: file.path) else {
      throw ChildProcess.Failure(sentence: "the frames cannot be written to a temporary file")
    }
    _ = try ChildProcess.run([
      SourceTree.python, "-B", "-E", "-s", SourceTree.script("setup/fetch.py"),
      SourceTree.dependencies,
      "peer",
    ])
    let peer = try ChildProcess([
      SourceTree.python, "-B", "-s", SourceTree.script("measurement/peer.py"), file.path,
      "\(size.width)",
      "\(size.height)", frames.areStream ? "on" : "again",
    ])
    guard peer.readLine() == "ready" else {
      throw ChildProcess.Failure(
        sentence: "MediaPipe's Python package cannot be used; see its messages above")
    }
    var results: [Comparison] = []
    for effect in options.effects {
      var one = options
      one.effects = [effect]
      one.instructionSets = [.current]
      let benchmark = try FrameBenchmark(
        frames: frames, size: size, quality: quality, options: one)
      var ours: [FrameCost] = []
      var theirs: [String: [Double]] = [:]
      var left = options.frames
      while left > 0 {
        let count = min(left, Self.framesPerTurn)
        ours = try benchmark.measure(frames: count)
        for recipe in Recipe.allCases.map(\.rawValue) + ["conversion"] {
          theirs[recipe, default: []] += try times(
            of: peer, "\(recipe) \(effect.rawValue) \(count)", count: count)
        }
        left -= count
      }
      if let ours = ours.first, let conversion = Spread(of: theirs["conversion"] ?? []) {
        results.append(
          Comparison(
            size: size, effect: effect, quality: quality, clip: clip,
            ours: ours.whole, limit: clip == nil ? ours.limit : ours.meanLimit,
            theirs: Recipe.allCases.reduce(into: [:]) {
              $0[$1] = Spread(of: theirs[$1.rawValue] ?? [])
            }, conversion: conversion))
      }
    }
    return results
  }

  /// Sends a request to the peer, and returns the time of each frame in milliseconds.
  private func times(of peer: ChildProcess, _ request: String, count: Int) throws -> [Double] {
    peer.write(line: request)
    let times = peer.readLine()?.split(separator: " ").compactMap { Double($0) } ?? []
    guard times.count == count else {
      throw ChildProcess.Failure(sentence: "peer.py printed no times; see its messages above")
    }
    return times.map { $0 / 1e6 }
  }

  /// Returns a table with a row per configuration.
  static func table(of results: [Comparison]) -> String {
    var table = TextTable(
      header: ["size", "effect", "quality", "ours", "10%-90%", "/ limit"]
        + Recipe.allCases.flatMap { [$0.rawValue, "10%-90%", "/ ours"] } + ["(conversions)"],
      words: 3)
    for result in results {
      table.rows.append(
        [
          result.size.rawValue, result.effect.rawValue, result.quality.rawValue,
          result.center(of: result.ours).milliseconds, result.ours.range(digits: 2),
          (result.center(of: result.ours) / result.limit).written(digits: 1),
        ]
          + Recipe.allCases.flatMap { recipe -> [String] in
            guard let theirs = result.theirs[recipe] else { return ["-", "-", "-"] }
            return [
              result.center(of: theirs).milliseconds, theirs.range(digits: 2),
              (result.center(of: theirs) / result.center(of: result.ours)).written(digits: 1),
            ]
          } + [result.center(of: result.conversion).milliseconds])
    }
    return table.text
  }
}

extension PeerBenchmark.Comparison: JSONConvertible {
  var json: JSON {
    [
      "clip": .string(clip ?? ""),
      "size": .string(size.rawValue),
      "effect": .string(effect.rawValue),
      "quality": .string(quality.rawValue),
      "ours_ms": ours.json,
      "bare_inference_and_copy_ms": .number(limit),
      "theirs_ms": .object(
        PeerBenchmark.Recipe.allCases.compactMap { recipe in
          theirs[recipe].map { JSON.Member(name: recipe.rawValue, value: $0.json) }
        }),
      "conversions_ms": conversion.json,
    ]
  }
}
