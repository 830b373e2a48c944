import Compositing
import Matting
import PixelTypes
import Processor
import ToolSupport
import VirtualBackground

/// Measures the cost of frames of one size and quality, for each effect and instruction set.
///
/// Also measures the lower bound: an inference alone and a copy of the frame.
///
/// The speed of a machine varies with other programs, clock speeds and the host. Such a change
/// lasts longer than a frame. So the engines, the inference alone and the copy take turns: in each
/// round, each of them processes a few frames. The order rotates from round to round. The results
/// are:
/// - medians and means over all frames,
/// - the spread of the ratios of single rounds, which shows how much the speed varied.
///
/// If the frames form a stream, the engines run the inference only when needed. Otherwise they run
/// it for each frame.
final class FrameBenchmark {
  /// The number of measured frames per turn.
  private static let framesPerTurn = 10
  /// The number of unmeasured frames at the beginning of each turn.
  ///
  /// These frames load the engine's tables and buffers into the cache. A stream that has a core for
  /// itself keeps them there.
  ///
  /// Every fourth frame of a stream has a full-frame pass. A turn's number of frames, measured or
  /// not, is not a multiple of four. Otherwise the share of measured frames with this pass would be
  /// wrong.
  private static let framesToSettle = 3

  /// The engines, one per configuration, in the order of the results.
  private let engines: [Engine]
  private let network: QualityNetworks
  /// The network for the inference alone.
  ///
  /// For a stream, this is a separate network: the engines' network may be recurrent, and then it
  /// must process only frames of the stream.
  private let bareNetwork: QualityNetworks
  private let frames: SampleFrames
  private let size: BenchmarkOptions.Size
  private let quality: Quality
  /// The frame that the engines change.
  private let canvas: OwnedFrame
  /// The target of the copy.
  private let copied: OwnedFrame

  private var isWarm = false
  private var round = 0
  private var inference = Rounds()
  private var copy = Rounds()

  /// One engine and its times.
  private final class Engine {
    let effect: BenchmarkOptions.Effect
    let instructionSet: InstructionSet
    let engine: VirtualBackgroundEngine
    var settings = EffectSettings()
    /// The number of processed frames, which is the position in a stream.
    var position = 0
    var whole = Rounds()
    var computed = Rounds()
    var pixels = Rounds()
    var stages: [FrameCost.Stage: Rounds] = [:]

    init(
      effect: BenchmarkOptions.Effect, instructionSet: InstructionSet, format: FrameFormat,
      network: QualityNetworks, plate: Plate, threads: Int, isPlain: Bool,
      inference: MatteSettings.Inference
    ) {
      self.effect = effect
      self.instructionSet = instructionSet
      engine = VirtualBackgroundEngine(threads: threads)
      settings.despill = !isPlain
      settings.inference = inference
      engine.configure(for: format)
      engine.use(network.segmenters)
      engine.use(plate)
      settings.effect =
        switch effect {
        case .replace: .replace
        case .blur: .blur
        }
    }
  }

  /// Times in milliseconds.
  private struct Rounds {
    /// The times of all frames.
    private(set) var all: [Double] = []
    /// The median of each round.
    private(set) var medians: [Double] = []

    mutating func add(_ round: [Double]) {
      all += round
      if let spread = Spread(of: round) { medians.append(spread.median) }
    }
  }

  /// Loads the networks and creates the engines.
  ///
  /// - Throws: `SegmentationError`, if a network of the quality cannot be loaded.
  init(
    frames: SampleFrames, size: BenchmarkOptions.Size, quality: Quality, options: BenchmarkOptions
  ) throws(SegmentationError) {
    self.frames = frames
    self.size = size
    self.quality = quality
    var network = try QualityNetworks(quality: quality, size: size, threads: options.threads)
    if options.plain { network.segmenters.crop = nil }
    self.network = network
    bareNetwork =
      frames.areStream
      ? try QualityNetworks(quality: quality, size: size, threads: options.threads) : network
    let plate = try Self.plate(of: frames)
    // The engines share the network, so that the placement of its memory does not affect
    // comparisons.
    engines = options.effects.flatMap { effect in
      options.instructionSets.map { instructionSet in
        Engine(
          effect: effect, instructionSet: instructionSet, format: frames.format, network: network,
          plate: plate, threads: min(options.threads, UsableCores.count()),
          isPlain: options.plain, inference: frames.areStream ? .whenNeeded : .everyFrame)
      }
    }
    canvas = OwnedFrame(width: frames.format.width, height: frames.format.height)
    copied = OwnedFrame(width: frames.format.width, height: frames.format.height)
  }

  /// Measures `count` more frames of each configuration, and returns the costs over all frames so
  /// far.
  ///
  /// - Throws: `SegmentationError`, when a frame has no matte, or no inference although it needs
  ///   one.
  func measure(frames count: Int) throws(SegmentationError) -> [FrameCost] {
    if !isWarm {
      for engine in engines { _ = try turn(of: engine, frames: min(count, Self.framesPerTurn)) }
      isWarm = true
    }
    var left = count
    while left > 0 {
      let frames = min(left, Self.framesPerTurn)
      let turns = engines.count + 2
      for turn in 0..<turns {
        switch (turn + round) % turns {
        case engines.count: inference.add(try inferenceTurn(frames: frames))
        case engines.count + 1: copy.add(copyTurn(frames: frames))
        case let number:
          record(try self.turn(of: engines[number], frames: frames), of: engines[number])
        }
      }
      left -= frames
      round += 1
    }
    return engines.compactMap(cost)
  }

  /// The time of a frame and the CPU time of all threads for it, in milliseconds, and its stages.
  private typealias FrameTimes = (whole: Double, computed: Double, stages: EngineStatistics)

  private func turn(
    of engine: Engine, frames count: Int
  ) throws(SegmentationError) -> [FrameTimes] {
    var times: [FrameTimes] = []
    times.reserveCapacity(count)
    for number in 0..<count + Self.framesToSettle {
      // Copy the frame before each measurement, as if a decoder had just written it.
      let position = frames.areStream ? engine.position : number
      engine.position += 1
      canvas.copy(frames[position])
      let frame = canvas.planes
      let time = frames.areStream ? UInt64(position) * 1_000_000_000 / 30 : nil
      InstructionSet.current = engine.instructionSet
      let beganComputing = MonotonicClock.computed()
      let began = MonotonicClock.now()
      let outcome = engine.engine.process(frame, settings: engine.settings, at: time)
      let elapsed = MonotonicClock.milliseconds(since: began)
      let computed = Double(MonotonicClock.computed() &- beganComputing) / 1e6
      switch outcome {
      case .composed(let inferred) where inferred || frames.areStream: break
      case .composed: throw SegmentationError(.inferenceFailed, "a frame had no inference")
      case .hidden(let error), .dropped(let error), .failed(let error): throw error
      }
      if number >= Self.framesToSettle {
        times.append((elapsed, computed, engine.engine.statistics))
      }
    }
    return times
  }

  private func record(_ times: [FrameTimes], of engine: Engine) {
    engine.whole.add(times.map(\.whole))
    engine.computed.add(times.map(\.computed))
    engine.pixels.add(times.map { $0.whole - Double($0.stages.inferenceTime) / 1e6 })
    for stage in FrameCost.Stage.allCases {
      engine.stages[stage, default: Rounds()].add(times.map { $0.stages.milliseconds(of: stage) })
    }
  }

  private func inferenceTurn(frames count: Int) throws(SegmentationError) -> [Double] {
    var times: [Double] = []
    times.reserveCapacity(count)
    for number in 0..<count + Self.framesToSettle {
      let began = MonotonicClock.now()
      // Do not fill the input tensor, because the time does not depend on its contents.
      _ = try bareNetwork.usual.infer()
      let elapsed = MonotonicClock.milliseconds(since: began)
      if number >= Self.framesToSettle { times.append(elapsed) }
    }
    return times
  }

  private func copyTurn(frames count: Int) -> [Double] {
    (0..<count + Self.framesToSettle).map { number in
      canvas.copy(frames[number])
      let began = MonotonicClock.now()
      copied.copy(canvas)
      return MonotonicClock.milliseconds(since: began)
    }.suffix(count)
  }

  private func cost(of engine: Engine) -> FrameCost? {
    let ratios = engine.whole.medians.indices.map {
      engine.whole.medians[$0] / (inference.medians[$0] + copy.medians[$0])
    }
    guard let whole = Spread(of: engine.whole.all),
      let computed = Spread(of: engine.computed.all), let pixels = Spread(of: engine.pixels.all),
      let inference = Spread(of: inference.all), let copy = Spread(of: copy.all),
      let ratioOfRounds = Spread(of: ratios)
    else { return nil }
    return FrameCost(
      subject: FrameCost.Subject(
        size: size, effect: engine.effect, quality: quality, instructionSet: engine.instructionSet),
      network: network.file, stages: engine.stages.compactMapValues { Spread(of: $0.all) },
      whole: whole, computed: computed, pixels: pixels, inference: inference, copy: copy,
      ratioOfRounds: ratioOfRounds)
  }

  /// Creates a background: the first frame, upside down.
  private static func plate(of frames: SampleFrames) throws(SegmentationError) -> Plate {
    let plate = try? Plate(allocating: frames.format) { plate in
      let picture = frames[0].planes
      for (target, source) in [(plate.luma, picture.luma), (plate.chroma, picture.chroma)] {
        for y in 0..<target.height {
          unsafe target.row(y).update(from: source.row(source.height - 1 - y), count: target.width)
        }
      }
    }
    guard let plate else { throw SegmentationError(.inferenceFailed, "There is no more memory.") }
    return plate
  }
}

extension EngineStatistics {
  /// Returns the time of the last frame in a stage, in milliseconds.
  fileprivate func milliseconds(of stage: FrameCost.Stage) -> Double {
    let nanoseconds =
      switch stage {
      case .prepare: prepareTime
      case .inference: inferenceTime
      case .matte: matteTime
      case .composite: compositeTime
      }
    return Double(nanoseconds) / 1e6
  }
}
