import InferenceTypes
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

  /// A part of the work, in the order of the work.
  enum Stage: String, CaseIterable {
    case prepare, inference, matte, composite
  }

  var subject: Subject
  /// The network's file.
  var network: String
  /// Milliseconds of each stage.
  var stages: [Stage: Spread]
  /// Milliseconds of the whole frame.
  var whole: Spread
  /// Milliseconds that all threads together computed for the whole frame.
  var computed: Spread
  /// Milliseconds of all but the inference.
  var pixels: Spread
  /// Milliseconds of an inference alone.
  var inference: Spread
  /// Milliseconds of a copy of the frame.
  var copy: Spread
  /// whole / (inference + copy) of each round: see `FrameBenchmark`.
  var ratioOfRounds: Spread

  /// The lower bound, in milliseconds: an inference and a copy.
  var limit: Double { inference.median + copy.median }
  /// The lower bound, computed from the means.
  var meanLimit: Double { inference.mean + copy.mean }
  /// The whole frame divided by its limit, by the medians over all frames.
  var ratio: Double { whole.median / limit }
  /// The ratio of the tenth percentiles, for runs in which other programs slowed down more than
  /// half of the frames.
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
