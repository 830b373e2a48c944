import CGStreamer
import Glibc
import TestSupport
import Testing
import VirtualBackground

@testable import GstVBGFilter

/// Another network while playing: loaded beside the stream, the old one goes on until it is ready.
@Suite struct NetworkChangeTests {
  private func makeFilter(_ properties: [String: String] = [:]) throws -> TestFilter {
    try TestFilter(
      ["effect": "color", "background-color": "\(Room.gray)"].merging(properties) { _, new in new })
  }

  @Test func theOldNetworkGoesOnUntilTheNewOneIsReady() throws {
    let filter = try makeFilter()
    _ = try filter.process()
    filter.models.change("slow") { $0.stuck = [.load] }
    filter.set("model", "slow")
    for _ in 0..<10 {
      let output = try filter.process()
      #expect(Room.visiblePart(of: output) == 0)
      #expect(Room.showsPerson(output))
      #expect(try filter.statisticString("model") == "good")
    }
    filter.models.change("slow") { $0.stuck = [] }
    let outputs = try filter.process(until: { try filter.statisticString("model") == "slow" })
    #expect(outputs.allSatisfy { Room.visiblePart(of: $0) == 0 && Room.showsPerson($0) })
    #expect(filter.messages().isEmpty)
  }

  @Test(arguments: [true, false])
  func aBrokenNetworkIsAWarningAndTheOldOneStays(_ failsToLoad: Bool) throws {
    let filter = try makeFilter()
    _ = try filter.process()
    let failure = SegmentationError(.modelUnreadable, "broken is no network")
    filter.models.change("broken") {
      if failsToLoad { $0.loadFailure = failure } else { $0.compileFailure = failure }
    }
    filter.set("model", "broken")
    var messages: [BusMessage] = []
    try filter.process(until: {
      messages += filter.messages()
      return !messages.isEmpty
    })
    for _ in 0..<10 {
      let output = try filter.process()
      #expect(Room.visiblePart(of: output) == 0)
      #expect(Room.showsPerson(output))
    }
    messages += filter.messages()
    #expect(messages.map(\.kind) == [.warning])
    #expect(messages[0].text == "broken is no network")
    #expect(messages[0].isResource(GST_RESOURCE_ERROR_OPEN_READ))
    #expect(try filter.statisticString("model") == "good")
    #expect(filter.models.loaded.filter { $0.path == "broken" }.count == 1)
  }

  /// The network that stays is made anew for frames of another size.
  @Test func afterABrokenNetworkNewCapsAreServedByTheOldOne() throws {
    let filter = try makeFilter()
    _ = try filter.process()
    filter.models.change("broken") { $0.loadFailure = .init(.modelNotFound, "gone") }
    filter.set("model", "broken")
    try filter.process(until: { filter.models.loaded.contains { $0.path == "broken" } })
    try filter.process(until: { !filter.messages().isEmpty })
    try filter.renegotiate(width: 180, height: 320)
    #expect(Room.showsPerson(try filter.process()))
    #expect(filter.models.compiled == ["good 320x180", "good 180x320"])
    // And when a network that works is asked for, it is taken.
    filter.set("model", "third")
    try filter.process(until: { try filter.statisticString("model") == "third" })
  }

  /// Whoever turns a knob quickly gets what it stands at in the end.
  @Test func theNewestRequestWins() throws {
    let filter = try makeFilter()
    _ = try filter.process()
    for path in ["a", "b", "c", "d"] { filter.models.change(path) { $0.stuck = [.load] } }
    for path in ["a", "b", "c", "d"] {
      filter.set("model", path)
      _ = try filter.process()
    }
    for path in ["a", "b", "c", "d"] { filter.models.change(path) { $0.stuck = [] } }
    try filter.process(until: { try filter.statisticString("model") == "d" })
    let loaded = filter.models.loaded.map(\.path)
    #expect(loaded.filter { $0 == "d" }.count == 1)
    #expect(loaded.count <= 3)
  }

  @Test func goingBackBeforeItIsReadyKeepsTheNetwork() throws {
    let filter = try makeFilter()
    _ = try filter.process()
    filter.models.change("slow") { $0.stuck = [.load] }
    filter.set("model", "slow")
    _ = try filter.process()
    filter.set("model", "good")
    _ = try filter.process()
    filter.models.change("slow") { $0.stuck = [] }
    for _ in 0..<20 { _ = try filter.process() }
    #expect(try filter.statisticString("model") == "good")
    #expect(filter.models.compiled.filter { $0 == "good 320x180" }.count == 1)
  }

  @Test func aNetworkThatBreaksWhileItIsInUseHidesTheFrames() throws {
    let filter = try makeFilter(["on-failure": "color"])
    _ = try filter.process()
    filter.models.change("good") { $0.inferenceFailure = .init(.inferenceFailed, "broke") }
    for _ in 0..<3 {
      let output = try filter.process()
      #expect(Room.visiblePart(of: output) == 0)
      #expect(!Room.showsPerson(output))
    }
    filter.set("model", "other")
    try filter.process(until: { try filter.statisticString("model") == "other" })
    #expect(Room.showsPerson(try filter.process()))
  }
}

/// The ladder of installed networks, as the element climbs it.
@Suite struct LadderTests {
  private func makeFolder(_ files: [String]) throws -> String {
    var template = Array("/tmp/vbgfilter-models-XXXXXX".utf8CString)
    let folder = unsafe String(cString: try #require(mkdtemp(&template)))
    for file in files {
      let descriptor = unsafe open("\(folder)/\(file)", O_CREAT | O_WRONLY, 0o600)
      try #require(descriptor >= 0)
      close(descriptor)
    }
    return folder
  }

  private func remove(_ folder: String) {
    for file in QualityLadder.files { unsafe unlink("\(folder)/\(file)") }
    unsafe rmdir(folder)
  }

  private func makeFilter(_ folder: String, _ properties: [String: String]) throws -> TestFilter {
    let filter = try TestFilter(
      ["effect": "color", "model": ""].merging(properties) { _, new in new })
    filter.object.modelsFolder = folder
    return filter
  }

  @Test(arguments: [("accurate", 288), ("balanced", 144), ("fast", 0)])
  func eachQualityHasItsNetwork(_ quality: String, _ lines: Int) throws {
    let folder = try makeFolder(QualityLadder.files)
    defer { remove(folder) }
    let filter = try makeFilter(folder, ["quality": quality])
    _ = try filter.process()
    #expect(filter.models.loaded.map(\.lines) == [lines])
    #expect(try filter.statisticString("quality") == quality)
    #expect(try filter.statisticString("model").hasPrefix(folder))
  }

  @Test func whatIsNotInstalledIsReplacedByTheNext() throws {
    let folder = try makeFolder(["selfie_segmentation.tflite"])
    defer { remove(folder) }
    let filter = try makeFilter(folder, ["quality": "accurate"])
    #expect(Room.showsPerson(try filter.process()))
    #expect(try filter.statisticString("quality") == "fast")
    #expect(try filter.statisticString("model") == "\(folder)/selfie_segmentation.tflite")
    #expect(filter.messages().isEmpty)
  }

  @Test func anInstalledNetworkThatIsBrokenIsReplacedByTheNext() throws {
    let folder = try makeFolder(QualityLadder.files)
    defer { remove(folder) }
    let filter = try makeFilter(folder, ["quality": "balanced"])
    filter.models.change("\(folder)/rvm_mobilenetv3_fp32.onnx") {
      $0.loadFailure = .init(.modelUnreadable, "half a file")
    }
    #expect(Room.showsPerson(try filter.process()))
    #expect(try filter.statisticString("quality") == "fast")
  }

  @Test func theShapeOfTheFrameChoosesTheFastNetwork() throws {
    let folder = try makeFolder(QualityLadder.files)
    defer { remove(folder) }
    let filter = try makeFilter(folder, ["quality": "fast"])
    _ = try filter.process()
    #expect(try filter.statisticString("model") == "\(folder)/selfie_segmentation_landscape.tflite")
    try filter.renegotiate(width: 180, height: 320)
    _ = try filter.process()
    #expect(try filter.statisticString("model") == "\(folder)/selfie_segmentation.tflite")
  }

  @Test func aNetworkThatTheUserNamedRunsAtTheSizeOfTheQuality() throws {
    let filter = try TestFilter(["effect": "color", "quality": "accurate"])
    _ = try filter.process()
    #expect(filter.models.loaded.map(\.lines) == [288])
    #expect(try filter.statisticString("quality") == "model")
  }
}
