import CGStreamer
import PixelTypes
import Testing

@testable import GstVBGFilter

/// Sizes, strides and colours of frames, and changes of these in a stream.
@Suite struct FormatTests {
  static let sizes = [
    (16, 16), (17, 17), (16, 8192), (8192, 16), (320, 240), (384, 288), (385, 289), (385, 385),
    (641, 480), (720, 1280), (1919, 1079),
  ]

  @Test(arguments: sizes, [nil, 29])
  func theRoomIsHiddenAtAnySizeAndStride(_ size: (Int, Int), _ padding: Int?) throws {
    let filter = try TestFilter(
      width: size.0, height: size.1, ["effect": "color", "background-color": "\(Room.gray)"])
    let output = try filter.process(padding: padding)
    #expect(output.format.width == size.0)
    #expect(Room.showsPerson(output))
    // The network's matte has 64 samples per row. Within one sample or one block of a reduced
    // frame, the room and the person are mixed.
    #expect(Room.visiblePart(of: output) < 0.1)
    #expect(filter.messages().isEmpty)
  }

  @Test(arguments: [
    ("bt601", Colorimetry(matrix: .bt601, range: .limited)), ("bt709", .bt709),
    ("bt2020", Colorimetry(matrix: .bt2020, range: .limited)),
    ("1:4:0:0", Colorimetry(matrix: .bt601, range: .full)),
    ("1:3:5:1", Colorimetry(matrix: .bt709, range: .full)),
  ])
  func theColorIsOfTheStreamsColorimetry(_ name: String, _ expected: Colorimetry) throws {
    let filter = try TestFilter(
      colorimetry: name, ["effect": "color", "background-color": "\(0xFF20_40E0 as UInt32)"])
    #expect(filter.stream.frameFormat.colorimetry == expected)
    let output = try filter.process()
    let code = expected.codeValues(red: 0x20, green: 0x40, blue: 0xE0)
    #expect(output.luma(0, 0) == Int(code.luma))
    #expect(output.chroma(0, 0) == (Int(code.cb), Int(code.cr)))
  }

  @Test(
    "hides the room across changes of size, and loads the network only once",
    arguments: ["color", "blur", "matte"])
  func hidesRoomAcrossSizeChanges(_ effect: String) throws {
    let filter = try TestFilter(
      width: 1920, height: 1080, ["effect": effect, "background-color": "\(Room.gray)"])
    let sizes = [(1920, 1080), (640, 360), (360, 640), (640, 360), (1920, 1080)]
    for (index, size) in sizes.enumerated() {
      if index > 0 { try filter.renegotiate(width: size.0, height: size.1) }
      for _ in 0..<2 {
        let output = try filter.process()
        #expect(output.format.width == size.0 && output.format.height == size.1)
        #expect(Room.visiblePart(of: output) < 0.03)
        if effect != "matte" { #expect(Room.showsPerson(output)) }
      }
    }
    #expect(
      filter.models.compiled == [
        "good 1920x1080", "good 640x360", "good 360x640", "good 640x360", "good 1920x1080",
      ])
    #expect(filter.models.loaded.count == 1)
    #expect(filter.messages().isEmpty)
  }

  /// A change of colorimetry alone needs no new network.
  @Test func otherColorsOfTheSameSizeKeepTheNetwork() throws {
    let filter = try TestFilter(
      colorimetry: "bt601", ["effect": "color", "background-color": "\(Room.gray)"])
    _ = try filter.process()
    try filter.renegotiate(width: 320, height: 180, colorimetry: "bt709")
    let output = try filter.process()
    #expect(Room.showsOnlyPerson(output))
    #expect(filter.models.compiled.count == 1)
  }

  /// If a network does not support the new size, the stream ends without another frame.
  @Test func aSizeThatTheNetworkRefusesEndsTheStream() throws {
    let filter = try TestFilter(["effect": "color"])
    _ = try filter.process()
    filter.models.change("good") { $0.compileFailure = .init(.deviceRefused, "too large") }
    try filter.renegotiate(width: 640, height: 360)
    #expect(filter.pushRoom() == GST_FLOW_ERROR)
    #expect(try filter.pull() == nil)
    #expect(filter.messages().map(\.text) == ["too large"])
  }

  @Test(
    "refuses caps of an unsupported format, size or layout",
    arguments: [
      "format=NV12, width=8193, height=180", "format=NV12, width=320, height=15",
      "format=YUY2, width=320, height=180", "format=RGBA, width=320, height=180",
    ])
  func refusesUnsupportedCaps(_ caps: String) throws {
    let filter = try TestFilter()
    try expectRefusal(of: caps, by: filter)
    #expect(filter.models.compiled.isEmpty)
  }

  private func expectRefusal(of caps: String, by filter: TestFilter) throws {
    filter.start()
    let parsed = unsafe try #require(gst_caps_from_string("video/x-raw, framerate=30/1, \(caps)"))
    defer { unsafe GStreamer.unrefMini(parsed) }
    _ = unsafe filter.send(gst_event_new_caps(parsed))
    #expect(filter.pushRoom() == GST_FLOW_NOT_NEGOTIATED)
    #expect(try filter.pull() == nil)
  }

  @Test(
    "explains refused caps in one error",
    arguments: [
      ("interlace-mode=interleaved", "deinterlace !"), ("interlace-mode=mixed", "deinterlace !"),
      ("interlace-mode=fields", "deinterlace !"),
      ("multiview-mode=separated, views=2", "selects one view"),
      ("colorimetry=bt2100-pq", "HDR video (PQ)"), ("colorimetry=bt2100-hlg", "HDR video (HLG)"),
    ], ["NV12", "P010_10LE"])
  func explainsRefusedCaps(_ refused: (field: String, words: String), _ format: String) throws {
    let filter = try TestFilter()
    try expectRefusal(of: "format=\(format), width=320, height=180, \(refused.field)", by: filter)
    #expect(filter.pushRoom() == GST_FLOW_NOT_NEGOTIATED)
    let messages = filter.messages()
    messages.expectOne(.error, refused.words)
    #expect(messages.first?.domain == gst_stream_error_quark())
    #expect(messages.first?.code == Int(GST_STREAM_ERROR_WRONG_TYPE.rawValue))
  }
}
