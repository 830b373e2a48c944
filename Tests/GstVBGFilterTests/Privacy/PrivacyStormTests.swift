import CGStreamer
import CTestSupport
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// Random properties, formats, events, flushes, states and faults.
///
/// An oracle looks for the room in all output.
@Suite struct PrivacyStormTests {
  private static let frame: UInt64 = 33_333_333
  private static let steps = 150
  private static let sizes = [(16, 16), (17, 19), (64, 36), (90, 161), (160, 90)]

  /// Values for every property that can change during playback.
  ///
  /// No value may show the room in a hidden frame, as a grown matte would.
  private static func choices(_ pictures: [String]) -> [(String, [String])] {
    [
      ("active", ["true", "true", "true", "false"]),
      ("effect", ["auto", "blur", "replace", "color", "matte", "transparent", "none"]),
      ("background-path", pictures + ["/nonexistent/room.png", ""]),
      ("background-color", ["\(Room.gray)", "\(UInt32(0xFF60_A060))"]),
      ("blur-radius", ["0", "0.01", "0.3", "2", "6", "10", "100"]),
      ("blur-shape", ["gaussian", "lens"]),
      ("framing", ["fixed", "follow"]),
      ("max-zoom", ["1", "1.5", "2"]),
      ("inference", ["when-needed", "every-frame"]),
      ("attach-matte", ["true", "false"]),
      ("target-fps", ["0", "5", "30"]),
      ("pacing", ["reuse-matte", "repeat-frame", "drop-frame"]),
      ("quality", ["fast", "balanced", "accurate", "auto"]),
      ("model", ["good", "better", "missing"]),
      ("fit", ["cover", "contain", "stretch"]),
      ("input-orientation", ["auto", "90r", "180", "ur-ll"]),
      ("keep", ["everyone", "nearest", "tracked"]),
      ("matte-grow", ["0", "-4"]),
      ("matte-feather", ["0", "-10"]),
      ("smoothing", ["0", "0.5", "1"]),
      ("despill", ["true", "false"]),
      ("light-wrap", ["0", "1"]),
      ("match-light", ["0", "1"]),
      ("low-light", ["0", "1"]),
      ("on-failure", ["blur", "color", "hold", "drop", "error"]),
      ("adaptive", ["true", "false"]),
    ]
  }

  /// Returns the choices that hide the room.
  static func hidingChoices(_ pictures: [String]) -> [(String, [String])] {
    choices(pictures).compactMap { name, values in
      switch name {
      case "active": nil
      case "effect": (name, values.filter { $0 != "none" })
      case "blur-radius": (name, values.filter { $0 != "0" })
      default: (name, values)
      }
    }
  }

  @Test(arguments: [nil] + PixelFormat.allCases.map(\.name), [1, 3])
  func theRoomIsNeverOutput(_ output: String?, _ seed: UInt64) throws {
    let storm = try Storm(output: output, seed: seed)
    for _ in 0..<Self.steps { try storm.step() }
    // The test must have produced enough frames.
    #expect(storm.hiddenFrames > Self.steps / 4)
    #expect(storm.shownFrames > 0)
  }

  /// A filter under random operations.
  @safe private final class Storm {
    private let filter: TestFilter
    private let oracle = PrivacyOracle(Secrets())
    private let cover = CoverPicture(seed: 5)
    private let folder = TemporaryFolder()
    private let choices: [(String, [String])]
    private var random: SeededGenerator
    private var time: UInt64 = 0
    private(set) var hiddenFrames = 0
    private(set) var shownFrames = 0

    init(output: String?, seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      choices = PrivacyStormTests.choices([
        try folder.writePicture("violet.png", color: 0xFF80_60A0),
        try folder.writePicture("clear.png", color: 0x6060_80A0),
      ])
      filter = try TestFilter(
        width: 64, height: 36, sink: output.map { "video/x-raw, format=\($0)" })
      filter.models.change("missing") { $0.loadFailure = .init(.modelNotFound, "it is not there") }
      unsafe oracle.watch(filter.sourcePad, filter.bus)
      filter.start()
      lookForThisRoom()
    }

    func step() throws {
      for _ in 0..<Int.random(in: 0...3, using: &random) { change() }
      switch Int.random(in: 0..<30, using: &random) {
      case 0: try renegotiate()
      case 1: try flush()
      case 2: try restart()
      case 3: filter.report(lateness: 50_000_000, ofFrameAt: time)
      case 4...8: try sendPicture()
      default: break
      }
      try push()
    }

    private func change() {
      guard let (name, values) = choices.randomElement(using: &random),
        let value = values.randomElement(using: &random)
      else { return }
      filter.set(name, value)
    }

    private func lookForThisRoom() {
      var secrets = NoisyRoom.secrets(of: filter.stream.frameFormat)
      secrets.insert(cover.bytes)
      oracle.replaceSecrets(by: secrets)
    }

    private func renegotiate() throws {
      let size = try #require(PrivacyStormTests.sizes.randomElement(using: &random))
      let inputs = PixelFormat.allCases.filter(\.isInput)
      try filter.renegotiate(
        format: inputs.randomElement(using: &random), width: size.0, height: size.1)
      lookForThisRoom()
    }

    private func flush() throws {
      try filter.flush()
      time = 0
    }

    private func restart() throws {
      unsafe gst_element_set_state(filter.element, GST_STATE_READY)
      // The element must start, so use valid settings. The test can change them later.
      filter.set("model", "good")
      filter.set("background-path", "")
      filter.set("effect", "color")
      try #require(
        unsafe gst_element_set_state(filter.element, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
      try #require(unsafe filter.send(gst_event_new_stream_start("again")))
      let caps = unsafe filter.stream.makeCaps()
      let event = unsafe try #require(gst_event_new_caps(caps))
      unsafe GStreamer.unrefMini(caps)
      try #require(unsafe filter.send(event))
      try filter.sendSegment()
      time = 0
    }

    private func sendPicture() throws {
      let kind = try #require(PictureEvent.allCases.randomElement(using: &random))
      let showsRoom = !filter.object.settings.current.hidesRoom
      _ = oracle.takeSightings()
      unsafe _ = filter.send(try kind.make(cover))
      let sightings = oracle.takeSightings()
      if !showsRoom { #expect(sightings == [], "\(kind)") }
      // The event started another stream.
      if kind == .streamStart {
        try filter.renegotiate(
          width: filter.stream.frameFormat.width, height: filter.stream.frameFormat.height)
        try filter.sendSegment()
      }
    }

    private func push() throws {
      filter.models.change("good") {
        $0.inferenceFailure =
          Int.random(in: 0..<6, using: &random) == 0 ? .init(.inferenceFailed, "no") : nil
      }
      let layout = FrameLayout.random(using: &random)
      let buffer = unsafe try filter.stream.makeNoisyBuffer(layout)
      unsafe buffer.pointee.pts = GstClockTime(time)
      time += PrivacyStormTests.frame
      if Int.random(in: 0..<5, using: &random) == 0 {
        let picture = unsafe try cover.makeBuffer()
        let kind = Int.random(in: 0...Int(CARRIED_UNKNOWN.rawValue), using: &random)
        unsafe carried_attach(buffer, CarriedMeta(UInt32(kind)), picture)
        unsafe GStreamer.unrefMini(picture)
      }
      let isShared = Int.random(in: 0..<5, using: &random) == 0
      let other = unsafe isShared ? gst_buffer_copy(buffer) : nil
      defer { if let other = unsafe other { unsafe GStreamer.unrefMini(other) } }
      _ = oracle.takeSightings()
      let flow = unsafe filter.push(buffer)
      let showsRoom = !filter.object.settings.current.hidesRoom
      unsafe oracle.look(atKeptBy: filter.sourcePad)
      let sightings = oracle.takeSightings()
      let description = "\(filter.object.settings.current), \(layout.testDescription)"
      if !showsRoom { #expect(sightings == [], "\(description)") }
      try checkPictures(showsRoom: showsRoom, description)
      if flow == GST_FLOW_ERROR { try restart() }
    }

    private func checkPictures(showsRoom: Bool, _ description: String) throws {
      let format = filter.stream.frameFormat
      while let seen = unsafe filter.pullBuffer() {
        defer { unsafe GStreamer.unrefMini(seen) }
        if showsRoom { shownFrames += 1 } else { hiddenFrames += 1 }
        let output = try StreamFormat(
          filter.outputFormat(), width: format.width, height: format.height)
        let exposure = NoisyRoom.exposure(of: unsafe try output.planes(in: seen, of: format))
        if !showsRoom { #expect(exposure < 0.25, "\(description)") }
      }
    }
  }
}
