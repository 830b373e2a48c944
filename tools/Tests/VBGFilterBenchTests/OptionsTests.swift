import Processor
import Testing
import ToolSupport

@testable import vbgfilter_bench

@Suite struct OptionsTests {
  @Test func withoutOptionsTheTableIsMeasured() throws {
    let options = try BenchmarkOptions([])
    #expect(options.table)
    #expect(options.frames == 300)
    #expect(options.threads == 1)
    #expect(options.instructionSets == InstructionSet.available)
    #expect(options.sizes(else: [.p720]) == [.p720])
  }

  @Test("measures only the parts that are named, without the table")
  func measuresOnlyNamedParts() throws {
    let options = try BenchmarkOptions(["--streams", "32", "--peer"])
    #expect(!options.table)
    #expect(options.streams == 32)
    #expect(options.peer)
    #expect(!options.pipeline)
    #expect(!options.start)
    #expect(try !BenchmarkOptions(["--start"]).table)
    #expect(try !BenchmarkOptions(["--instructions"]).table)
    #expect(try !BenchmarkOptions(["--load"]).table)
    #expect(try !BenchmarkOptions(["--clip", "talk.mp4"]).table)
    #expect(try BenchmarkOptions(["--clip", "talk.mp4"]).clipPath == "talk.mp4")
    #expect(try !BenchmarkOptions(["--scenes"]).table)
    #expect(try !BenchmarkOptions(["--peer-clip", "talk.mp4"]).table)
    #expect(try BenchmarkOptions(["--peer-clip", "talk.mp4"]).peerClipPath == "talk.mp4")
    #expect(try BenchmarkOptions(["--changes", "1000"]).changes == 1000)
  }

  @Test func listsAreReadInTheirOrder() throws {
    let options = try BenchmarkOptions([
      "--sizes", "2160p,360p", "--effects", "blur", "--qualities", "accurate,fast", "--isa",
      "baseline",
    ])
    #expect(options.sizes(else: []) == [.p2160, .p360])
    #expect(options.effects == [.blur])
    #expect(options.qualities(else: []) == [.accurate, .fast])
    #expect(options.instructionSets == [.baseline])
  }

  @Test("reports the chosen instruction sets only if the measurement uses them")
  func reportsUsedInstructionSets() throws {
    let chosen = ["--isa", "baseline"]
    #expect(try BenchmarkOptions(chosen).usedInstructionSets == [.baseline])
    #expect(try BenchmarkOptions(chosen + ["--instructions"]).usedInstructionSets == [.baseline])
    #expect(try BenchmarkOptions(chosen + ["--pipeline"]).usedInstructionSets == [.current])
  }

  @Test func propertiesAreCollected() throws {
    let options = try BenchmarkOptions(["--set", "inference=when-needed", "--set", "model=a=b"])
    #expect(options.properties == ["inference=when-needed", "model=a=b"])
  }

  @Test func sizesAreSixteenToNine() {
    for size in BenchmarkOptions.Size.allCases {
      #expect(size.width * 9 == size.height * 16)
      #expect(size.width % 4 == 0)
    }
  }

  @Test func aClipIsPlayedOnAndBack() {
    #expect((0..<8).map { SampleFrames.toAndFro($0, 4) } == [0, 1, 2, 3, 2, 1, 0, 1])
  }

  @Test(
    "names the option that is invalid",
    arguments: [
      ["--frames"], ["--frames", "0"], ["--frames", "many"], ["--streams", "-1"],
      ["--sizes", "1081p"], ["--sizes", ""], ["--isa", "avx2,mmx"], ["--peers"], ["fast"],
      ["--set"], ["--set", "inference"], ["--set", "=1"],
      ["--peer", "--svg", "chart.svg"],
    ])
  func namesInvalidOption(arguments: [String]) throws {
    let mistake = #expect(throws: UsageError.self) { try BenchmarkOptions(arguments) }
    #expect(
      try #require(mistake).sentence.contains(arguments.contains("--svg") ? "--svg" : arguments[0]))
  }
}
