import Processor
import Testing

@testable import vbgfilter_bench

@Suite struct ReportTests {
  /// A cost with `pixels` milliseconds for pixels, 2 for the inference and 1 for the copy.
  static func cost(
    _ size: BenchmarkOptions.Size, _ instructionSet: InstructionSet, pixels: Double
  ) throws -> FrameCost {
    func spread(_ value: Double) throws -> Spread { try #require(Spread(of: [value])) }
    return FrameCost(
      subject: FrameCost.Subject(
        size: size, effect: .blur, quality: .fast, instructionSet: instructionSet),
      network: "network.onnx",
      stages: [
        .prepare: try spread(pixels / 4), .inference: try spread(2), .matte: try spread(pixels / 4),
        .composite: try spread(pixels / 2),
      ],
      whole: try spread(2 + pixels), computed: try spread(3 + pixels), pixels: try spread(pixels),
      inference: try spread(2),
      copy: try spread(1), ratioOfRounds: try spread((2 + pixels) / 3))
  }

  /// The cells of a line.
  ///
  /// At least two blanks separate them.
  static func cells(_ line: Substring) -> [String] {
    line.split(separator: " ").map(String.init)
  }

  @Test("names precision, instruction sets and threads in the first sentence")
  func describesTheMachine() {
    var machine = Machine()
    machine.processor = "Example"
    machine.cores = 4
    machine.load = 0.25
    machine.precision = "bfloat16"
    #expect(
      machine.text(instructionSets: [.baseline, .avx2], threads: 1)
        == "Networks run in bfloat16 and pixel work with baseline and avx2, on 1 thread of Example "
        + "(4 cores, load 0.3).")
    machine.precision = nil
    #expect(
      machine.text(instructionSets: [.avx512], threads: 2)
        .hasPrefix("Networks run in unknown precision and pixel work with avx512, on 2 threads of ")
    )
  }

  @Test func theLimitIsAnInferenceAndACopy() throws {
    let cost = try Self.cost(.p1080, .baseline, pixels: 4)
    #expect(cost.limit == 3)
    #expect(cost.ratio == 2)
  }

  /// The sentence covers only the widest set and one effect.
  @Test func aSentenceReportsTheCostOfAStream() throws {
    let report = CostReport(costs: [
      try Self.cost(.p1080, .baseline, pixels: 9), try Self.cost(.p1080, .avx2, pixels: 2),
    ])
    #expect(
      report.summary
        == "1080p fast, blur: 5.0 ms of CPU time per frame, 0.15 cores at 30 frames per second, "
        + "at most 250 frames per second\n")
  }

  @Test func stagesOfAConfigurationAreOnOneLine() throws {
    let report = CostReport(costs: [try Self.cost(.p1080, .baseline, pixels: 4)])
    let lines = report.stages.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      Self.cells(lines[1]) == [
        "1080p", "blur", "fast", "baseline", "1.00", "2.00", "1.00", "2.00", "6.00", "6.00-6.00",
        "2.00", "2.00-2.00", "1.00", "2.00", "2.00-2.00", "2.00",
      ])
  }

  @Test func pixelsAreComparedWithTheWidestSetAndWithFullHD() throws {
    let report = CostReport(costs: [
      try Self.cost(.p1080, .baseline, pixels: 3), try Self.cost(.p1080, .avx512, pixels: 1),
      try Self.cost(.p2160, .baseline, pixels: 12), try Self.cost(.p2160, .avx512, pixels: 5),
    ])
    let lines = try #require(report.pixels).split(separator: "\n").map(Self.cells)
    #expect(lines.count == 5)
    #expect(lines[0].contains("avx512"))
    #expect(lines[1].suffix(1) == ["3.00"])
    #expect(lines[2].suffix(2) == ["1.00", "1.00-1.00"])
    #expect(lines[3].suffix(2) == ["2.40", "4.00"])
    #expect(lines[4].suffix(1) == ["5.00"])
  }

  @Test func withoutAComparisonThereIsNoTable() throws {
    #expect(CostReport(costs: [try Self.cost(.p2160, .baseline, pixels: 3)]).pixels == nil)
    #expect(CostReport(costs: []).pixels == nil)
  }

  @Test func columnsAreAligned() {
    let table = TextTable(
      header: ["name", "n"], rows: [["a", "1"], ["longer", "100"]], words: 1)
    #expect(table.text == "name      n\na         1\nlonger  100")
  }

  @Test(arguments: [
    (0.0, 2, "0.00"), (1.005, 1, "1.0"), (9.96, 1, "10.0"), (-0.5, 1, "-0.5"), (-0.01, 1, "0.0"),
    (12345.6, 0, "12346"), (0.0349, 3, "0.035"), (.infinity, 2, "-"), (.nan, 2, "-"),
  ])
  func numbersAreRounded(value: Double, digits: Int, text: String) {
    #expect(value.written(digits: digits) == text)
  }

  @Test func aScriptsLineIsANameAndANumber() throws {
    let number = try #require(PipelineBenchmark.number("late 3"))
    #expect(number.name == "late")
    #expect(number.value == 3)
    #expect(PipelineBenchmark.number("a word too many 3") == nil)
    #expect(PipelineBenchmark.number("late none") == nil)
  }
}
