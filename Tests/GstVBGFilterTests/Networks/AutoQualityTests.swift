import CGStreamer
import CGStreamerCheck
import Matting
import TestSupport
import Testing

@testable import GstVBGFilter

/// `quality=auto` in a live stream at 30 frames per second.
///
/// Each test sets the inference times.
@Suite struct AutoQualityTests {
  private static let second: UInt64 = 1_000_000_000
  private static let millisecond: UInt64 = 1_000_000

  private let clock = TestClock()
  private let folder = TemporaryFolder()

  /// The large network, which two qualities use.
  private var matting: String { "\(folder.path)/rvm_mobilenetv3_fp32.onnx" }

  /// Makes an element with these networks installed.
  ///
  /// An inference of a small network takes 1 ms.
  private func makeFilter(
    installed files: [String] = QualityLadder.files, mattingTime: UInt64 = 6,
    _ properties: [String: String] = [:]
  ) throws -> TestFilter {
    for file in files { folder.write(file) }
    let filter = try TestFilter(
      ["effect": "color", "model": "", "quality": "auto", "inference": "every-frame"]
        .with(properties))
    filter.object.modelsFolder = folder.path
    filter.object.clock = clock.clock
    for file in files { take(1, for: "\(folder.path)/\(file)", filter) }
    take(mattingTime, for: matting, filter)
    return filter
  }

  private func take(_ milliseconds: UInt64, for path: String, _ filter: TestFilter) {
    filter.models.change(path) { [clock] in
      $0.work = { clock.compute(milliseconds * Self.millisecond) }
    }
  }

  /// Pushes frames for a number of seconds and returns the qualities in use, without repeats.
  ///
  /// No frame arrives while the element measures a candidate, so frames do not advance the clock
  /// then. At the end of the measurement, the measured network resets its state: this function
  /// waits for that.
  private func run(_ filter: TestFilter, seconds: UInt64) throws -> [String] {
    var seen: [String] = []
    for _ in 0..<seconds * 30 {
      let began = clock.clock.time()
      let forgotten = filter.models.timesForgotten
      let output = try filter.process(time: began)
      #expect(Room.showsOnlyPerson(output))
      if filter.object.stream?.networkSlot.isLoading == true {
        if filter.object.stream?.loadController?.candidate != nil {
          try Patience.wait(until: { filter.models.timesForgotten > forgotten })
        }
        try filter.process(until: { filter.object.stream?.networkSlot.isLoading == false })
      }
      let quality = try filter.statisticString("quality")
      if quality != seen.last { seen.append(quality) }
      let passed = clock.clock.time() - began
      clock.pass(Self.second / 30 - min(passed, Self.second / 30))
    }
    return seen
  }

  @Test func stepsUpToTheSustainableQualityAndReportsEachStep() throws {
    let filter = try makeFilter()
    #expect(try run(filter, seconds: 8) == ["fast", "balanced"])
    #expect(filter.value(of: "current-quality") == "balanced")
    #expect(try filter.statistic("adaptive-level") == 1)
    let steps = filter.messages(of: GST_MESSAGE_QOS)
    #expect(steps.count == 1 && steps[0].contains("quality=(int)666666"), "\(steps)")
    #expect(try run(filter, seconds: 10) == ["balanced", "accurate"])
    let posted = unsafe BusMessage.takeAll(from: filter.bus)
    #expect(posted.isEmpty)
    #expect(try run(filter, seconds: 3) == ["accurate"])
    #expect(try filter.statistic("adaptive-level") == 0)
  }

  /// If `accurate` looks for missed parts, the frame needs a second inference at another size.
  @Test func theCostOfBothSizesCounts() throws {
    let filter = try makeFilter(mattingTime: 9)
    #expect(try run(filter, seconds: 16) == ["fast", "balanced"])
    // Once per size.
    #expect(filter.models.loaded.filter { $0.path == matting }.count == 2)
  }

  @Test func anInstalledNetworkThatIsBrokenIsSkipped() throws {
    let filter = try makeFilter()
    filter.models.change(matting) { $0.loadFailure = .init(.modelUnreadable, "half a file") }
    #expect(try run(filter, seconds: 15) == ["fast"])
    // Once per candidate, and once to confirm people with `fast`, but not again and again.
    #expect(filter.models.loaded.filter { $0.path == matting }.count == 6)
    #expect(filter.messages().isEmpty)
  }

  @Test("asks again whether the source is live when another stream begins")
  func asksAnotherSource() throws {
    let filter = try makeFilter(mattingTime: 40)
    #expect(try run(filter, seconds: 1) == ["fast"])
    unsafe gst_harness_set_live(filter.harness, 0)
    try #require(unsafe filter.send(try #require(gst_event_new_stream_start("another"))))
    #expect(try run(filter, seconds: 5).last == "balanced")
    #expect(filter.object.stream?.engine.isLive == false)
  }

  @Test("uses a quality or model that is named instead of auto")
  func usesNamedQuality() throws {
    let filter = try makeFilter()
    #expect(try run(filter, seconds: 1) == ["fast"])
    filter.set("quality", "accurate")
    try filter.process(until: { filter.value(of: "current-quality") == "accurate" })
    filter.set("quality", "auto")
    try filter.process(until: { filter.value(of: "current-quality") == "fast" })
    filter.set("model", matting)
    try filter.process(until: { filter.value(of: "current-quality") == "model" })
  }
}
