import CGStreamer
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// The output format, and its renegotiation when the effect changes.
@Suite struct NegotiationTests {
  static let effects = ["color", "blur", "transparent", "matte", "none"]

  /// If the sink accepts all formats, the element chooses the cheapest one.
  ///
  /// It chooses alpha only if the effect needs it.
  @Test(arguments: [
    ("color", PixelFormat.nv12, PixelFormat.nv12), ("color", .i420, .i420),
    ("matte", .nv21, .nv21), ("none", .i420, .i420), ("transparent", .nv12, .a420),
    ("transparent", .i420, .a420),
  ])
  func aSinkThatAcceptsAllFormatsGetsTheEffectsFormat(
    _ effect: String, _ input: PixelFormat, _ expected: PixelFormat
  ) throws {
    let filter = try TestFilter(format: input, ["effect": effect])
    #expect(filter.pushRoom() == GST_FLOW_OK)
    #expect(try filter.outputFormat() == expected)
    #expect(filter.messages().isEmpty)
  }

  /// The element uses downstream's first alpha format, even if other formats precede it.
  @Test(arguments: [
    ("{ NV12, BGRA, AYUV }", "transparent", PixelFormat.bgra),
    ("{ AYUV, RGBA, NV12 }", "transparent", .ayuv), ("{ AYUV, RGBA, NV12 }", "color", .nv12),
    ("{ AYUV, RGBA, I420 }", "blur", .i420), ("{ RGBA, GRAY8 }", "matte", .rgba),
    ("{ GRAY8, NV12 }", "matte", .gray8), ("{ GRAY8, NV12 }", "color", .nv12),
    ("{ NV12, GRAY8 }", "matte", .nv12), ("{ ARGB, YUY2 }", "color", .argb),
    ("{ YUY2, GRAY8 }", "transparent", .gray8),
  ])
  func theSinksOrderCounts(_ formats: String, _ effect: String, _ expected: PixelFormat) throws {
    let filter = try TestFilter(sink: "video/x-raw, format=\(formats)", ["effect": effect])
    #expect(filter.pushRoom() == GST_FLOW_OK)
    #expect(try filter.outputFormat() == expected)
  }

  /// The change takes effect between two frames.
  ///
  /// Every frame arrives, and all hide the room.
  @Test(arguments: [nil, "{ RGBA, NV12 }", "{ AYUV, I420 }", "NV12", "ABGR", "GRAY8"])
  func swappingTheEffectNeverFailsToNegotiate(_ formats: String?) throws {
    let filter = try TestFilter(
      sink: formats.map { "video/x-raw, format=\($0)" }, ["background-color": "\(Room.gray)"])
    let alphas = PixelFormat.allCases.filter { $0.hasAlpha && (formats?.contains($0.name) ?? true) }
    var generator = SeededGenerator(seed: 1)
    var effects = Self.effects + Self.effects.reversed()
    for byte in generator.bytes(30) { effects.append(Self.effects[Int(byte) % 5]) }
    for effect in effects {
      filter.set("effect", effect)
      let output = try filter.processToPlanes()
      let seen = Room.visiblePart(of: output)
      #expect(effect == "none" ? seen == 1 : seen < 0.1, "\(effect) \(output.pixelFormat)")
      let isTransparent = effect == "transparent" && !alphas.isEmpty
      #expect(output.alpha(0, 0) == (isTransparent ? 0 : 255))
      if isTransparent { #expect(alphas.contains(output.pixelFormat)) }
      if formats == nil, effect != "transparent" { #expect(output.pixelFormat == .nv12) }
      if effect != "matte" { #expect(Room.showsPerson(output)) }
    }
    // The network and its state survive all changes.
    #expect(filter.models.compiled.count == 1)
    let warnings = filter.messages()
    #expect(warnings.allSatisfy { $0.kind == .warning })
    #expect(warnings.isEmpty == !alphas.isEmpty)
  }

  /// The last result in one format is not repeated in another.
  @Test func aRepeatedFrameHasTheFormatOfTheOthers() throws {
    let filter = try TestFilter([
      "background-color": "\(Room.gray)", "pacing": "repeat-frame", "target-fps": "1",
    ])
    var time: UInt64 = 0
    for effect in ["color", "transparent", "none", "transparent", "matte", "none", "blur"] {
      filter.set("effect", effect)
      for _ in 0..<3 {
        #expect(filter.pushRoom(time: time) == GST_FLOW_OK)
        time += 33_333_333
        let output = try #require(try filter.pullPlanes())
        let seen = Room.visiblePart(of: output)
        #expect(effect == "none" ? seen == 1 : seen < 0.1)
        #expect(output.alpha(0, 0) == (effect == "transparent" ? 0 : 255))
      }
    }
    #expect(try filter.statistic("repeated") > 0)
  }

  /// Another thread changes the effect at any time while a frame is processed.
  @Test func swappingFromAnotherThreadShowsNoRoom() throws {
    let filter = try TestFilter(["background-color": "\(Room.gray)", "effect": "color"])
    let effects: [Settings.Effect] = [.transparent, .color, .matte, .blur]
    try filter.process(300, whileChanging: { $0.effect = effects[$1 % 4] }) {
      let output = try filter.processToPlanes()
      #expect(Room.visiblePart(of: output) < 0.03)
    }
    #expect(filter.messages().isEmpty)
  }

  /// The warning names the remedy, and is not repeated when the effect changes.
  @Test("shows the background colour and warns once if downstream does not accept alpha")
  func fallsBackToColorWithoutAlpha() throws {
    let filter = try TestFilter(
      sink: "video/x-raw, format=NV12",
      ["effect": "transparent", "background-color": "\(Room.gray)"])
    let wanted = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"]).process()
    for _ in 0..<3 { #expect(try filter.process().maxDifference(from: wanted) == 0) }
    filter.messages().expectOne(.warning, "takes RGBA", code: GST_RESOURCE_ERROR_SETTINGS)
    for effect in ["blur", "transparent", "none", "transparent"] {
      filter.set("effect", effect)
      _ = try filter.process()
    }
    #expect(filter.messages().isEmpty)
  }

  /// After a conversion, the same buffer passes through again.
  @Test func passthroughKeepsTheBufferAgainAfterTransparency() throws {
    let filter = try TestFilter(["effect": "transparent"])
    _ = try filter.processToPlanes()
    for active in ["false", "true", "false"] {
      filter.set("active", active)
      let buffer = unsafe filter.makeBuffer()
      let output = unsafe try filter.output(of: buffer)
      defer { unsafe GStreamer.unrefMini(output) }
      #expect(unsafe (output == buffer) == (active == "false"))
      #expect(try filter.outputFormat() == (active == "false" ? .nv12 : .a420))
    }
  }

  /// The formats offered upstream.
  ///
  /// They do not depend on the output format, but that comes first.
  @Test(arguments: [
    ("I420", ["I420", "NV12", "NV21", "P010_10LE"]),
    ("NV12", ["NV12", "I420", "NV21", "P010_10LE"]),
    ("P010_10LE", ["P010_10LE", "NV12", "I420", "NV21"]),
    ("RGBA", ["NV12", "I420", "NV21", "P010_10LE"]),
  ])
  func upstreamIsOfferedAllInputFormats(_ output: String, _ expected: [String]) throws {
    let filter = try TestFilter(
      sink: "video/x-raw, format=\(output), colorimetry=sRGB, width=320, height=180")
    filter.start()
    let pad = unsafe try #require(gst_element_get_static_pad(filter.element, "sink"))
    defer { unsafe GStreamer.unref(pad) }
    let caps = unsafe try #require(gst_pad_query_caps(pad, nil))
    defer { unsafe GStreamer.unrefMini(caps) }
    var names: [String] = []
    for structure in unsafe CapsStructure.all(in: caps) {
      // The base class repeats formats that need no conversion.
      for format in structure.formats ?? [] where !names.contains(format.name) {
        names.append(format.name)
      }
    }
    #expect(names == expected)
    let text = unsafe try #require(gst_caps_to_string(caps))
    defer { unsafe g_free(text) }
    // The colorimetry of RGB output does not restrict the input.
    #expect(unsafe String(cString: text).contains("sRGB") == (output != "RGBA"))
  }
}
