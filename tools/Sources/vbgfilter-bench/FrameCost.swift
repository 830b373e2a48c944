import Matting
import Processor

/// The cost of one frame in one configuration.
struct FrameCost {
  /// The configuration.
  struct Subject: Equatable {
    var size: BenchmarkOptions.Size
    var effect: BenchmarkOptions.Effect
    var quality: Quality
    var instructionSet: InstructionSet
  }

  /// A stage of the work on a frame.
  ///
  /// The cases are in the order of the work.
  enum Stage: String, CaseIterable {
    case prepare, inference, matte, composite
  }

  var subject: Subject
  /// The file name of the network.
  var network: String
  /// The time of each stage, in milliseconds.
  var stages: [Stage: Spread]
  /// The time of the whole frame, in milliseconds.
  var whole: Spread
  /// The CPU time of all threads for the whole frame, in milliseconds.
  var computed: Spread
  /// The time of all stages except the inference, in milliseconds.
  var pixels: Spread
  /// The time of an inference alone, in milliseconds.
  var inference: Spread
  /// The time of a copy of the frame, in milliseconds.
  var copy: Spread
  /// The ratio whole / (inference + copy), from the medians of single rounds.
  ///
  /// See `FrameBenchmark` for rounds.
  var ratioOfRounds: Spread

  /// The lower bound, an inference and a copy, in milliseconds, from medians.
  var limit: Double { inference.median + copy.median }
  /// The lower bound in milliseconds, from means.
  var meanLimit: Double { inference.mean + copy.mean }
  /// The ratio of the whole frame to its lower bound, from medians over all frames.
  var ratio: Double { whole.median / limit }
  /// The ratio of the whole frame to its lower bound, from tenth percentiles.
  ///
  /// It is meaningful even if other programs slowed down more than half of the frames.
  var ratioAtBest: Double { whole.low / (inference.low + copy.low) }
}

extension FrameCost: JSONConvertible {
  var json: JSON {
    [
      "size": .string(subject.size.rawValue),
      "effect": .string(subject.effect.rawValue),
      "quality": .string(subject.quality.rawValue),
      "isa": .string(subject.instructionSet.rawValue),
      "network": .string(network),
      "stages_ms": .object(
        Stage.allCases.compactMap { stage in
          stages[stage].map { JSON.Member(name: stage.rawValue, value: $0.json) }
        }),
      "whole_ms": whole.json,
      "computed_ms": computed.json,
      "pixels_ms": pixels.json,
      "bare_inference_ms": inference.json,
      "copy_ms": copy.json,
      "ratio": .number(ratio),
      "ratio_of_rounds": ratioOfRounds.json,
      "ratio_of_p10": .number(ratioAtBest),
    ]
  }
}
