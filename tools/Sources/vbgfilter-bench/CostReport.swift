import Processor

/// Presents the costs of frames as text.
struct CostReport {
  var costs: [FrameCost]

  /// A line for each size and quality: CPU time, cores of a live stream, and maximum frame rate.
  ///
  /// The values are for the widest measured instruction set and the last measured effect.
  var summary: String {
    guard let widest = costs.map(\.subject.instructionSet).max(by: Self.isNarrower),
      let effect = costs.last?.subject.effect
    else { return "" }
    let shown = costs.filter { $0.subject.instructionSet == widest && $0.subject.effect == effect }
    return shown.map { cost in
      let computed = cost.computed.median
      return "\(cost.subject.size.rawValue) \(cost.subject.quality), \(effect): "
        + "\(computed.written(digits: 1)) ms of CPU time per frame, "
        + "\((computed * 30 / 1000).written(digits: 2)) cores at 30 frames per second, "
        + "at most \((1000 / cost.whole.median).written(digits: 0)) frames per second\n"
    }.joined()
  }

  /// A table with a row per configuration.
  ///
  /// Its columns are:
  /// - the time of each stage and of the whole frame,
  /// - the time of an inference alone and of a copy, which are the lower bound,
  /// - the ratio of the whole frame to the lower bound, from medians,
  /// - the range of this ratio over the rounds,
  /// - the ratio from tenth percentiles.
  var stages: String {
    var table = TextTable(
      header: ["size", "effect", "quality", "isa"] + FrameCost.Stage.allCases.map(\.rawValue) + [
        "whole", "10%-90%", "inference alone", "10%-90%", "copy", "ratio", "ratio 10%-90%",
        "ratio at 10%",
      ],
      words: 4)
    for cost in costs {
      table.rows.append(
        Self.names(of: cost)
          + FrameCost.Stage.allCases.map { cost.stages[$0]?.median.milliseconds ?? "-" } + [
            cost.whole.median.milliseconds, cost.whole.range(digits: 2),
            cost.inference.median.milliseconds, cost.inference.range(digits: 2),
            cost.copy.median.milliseconds, cost.ratio.written(digits: 2),
            cost.ratioOfRounds.range(digits: 2), cost.ratioAtBest.written(digits: 2),
          ])
    }
    return table.text
  }

  /// A table of the pixel work: the time of all stages except the inference.
  ///
  /// The last two columns are the ratio to the widest instruction set, and the ratio of 2160p to
  /// 1080p. The table is nil without configurations to compare.
  var pixels: String? {
    guard let widest = costs.map(\.subject.instructionSet).max(by: Self.isNarrower) else {
      return nil
    }
    var table = TextTable(
      header: ["size", "effect", "quality", "isa", "pixels", "10%-90%", "/ \(widest)", "/ 1080p"],
      words: 4)
    var compares = false
    for cost in costs {
      var subject = cost.subject
      subject.instructionSet = widest
      let toWidest = cost.subject == subject ? nil : ratio(of: cost, to: subject)
      subject = cost.subject
      subject.size = .p1080
      let toFullHD = cost.subject.size == .p2160 ? ratio(of: cost, to: subject) : nil
      compares = compares || toWidest != nil || toFullHD != nil
      table.rows.append(
        Self.names(of: cost) + [
          cost.pixels.median.milliseconds, cost.pixels.range(digits: 2),
          toWidest?.written(digits: 2) ?? "", toFullHD?.written(digits: 2) ?? "",
        ])
    }
    return compares ? table.text : nil
  }

  private func ratio(of cost: FrameCost, to subject: FrameCost.Subject) -> Double? {
    costs.first { $0.subject == subject }.map { cost.pixels.median / $0.pixels.median }
  }

  private static func names(of cost: FrameCost) -> [String] {
    let subject = cost.subject
    return [
      subject.size.rawValue, subject.effect.rawValue, subject.quality.rawValue,
      subject.instructionSet.rawValue,
    ]
  }

  /// Returns whether an instruction set has narrower vectors than another.
  ///
  /// `InstructionSet.allCases` must be in ascending order of width.
  static func isNarrower(_ one: InstructionSet, than other: InstructionSet) -> Bool {
    let all = InstructionSet.allCases
    return (all.firstIndex(of: one) ?? 0) < (all.firstIndex(of: other) ?? 0)
  }
}
