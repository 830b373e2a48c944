import CGStreamer
import CTestSupport
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// The oracle must find the room in every place, and must have no false positives.
@Suite struct PrivacyOracleTests {
  private static let cover = CoverPicture(seed: 9)

  private func look(_ body: (PrivacyOracle) throws -> Void) rethrows -> [String] {
    let oracle = PrivacyOracle(Self.cover.secrets)
    try body(oracle)
    return oracle.takeSightings()
  }

  @Test(arguments: PictureEvent.allCases) func itLooksIntoEvents(_ kind: PictureEvent) throws {
    let event = unsafe try kind.make(Self.cover)
    defer { unsafe GStreamer.unrefMini(event) }
    #expect(!look { unsafe $0.look(at: event) }.isEmpty)
  }

  @Test func itLooksIntoMessages() throws {
    let message = unsafe try #require(gst_message_new_tag(nil, Self.cover.makeTags()))
    defer { unsafe GStreamer.unrefMini(message) }
    #expect(!look { unsafe $0.look(at: message) }.isEmpty)
    let text = unsafe try #require(
      gst_message_new_tag(nil, gst_tag_list_new_from_string("taglist, title=(string)Talk")))
    defer { unsafe GStreamer.unrefMini(text) }
    #expect(look { unsafe $0.look(at: text) } == [])
  }

  @Test func itLooksIntoMetas() throws {
    for kind in 0...CARRIED_UNKNOWN.rawValue {
      let buffer = unsafe try #require(gst_buffer_new_allocate(nil, 64, nil))
      defer { unsafe GStreamer.unrefMini(buffer) }
      unsafe gst_buffer_memset(buffer, 0, 0, 64)
      let picture = unsafe try Self.cover.makeBuffer()
      unsafe carried_attach(buffer, CarriedMeta(kind), picture)
      unsafe GStreamer.unrefMini(picture)
      let isHarmless = kind <= CARRIED_PLAIN_FIELDS.rawValue
      #expect(look { unsafe $0.look(at: buffer) }.isEmpty == isHarmless, "\(kind)")
    }
  }

  /// Each layout has junk in another place, and the first bytes of junk suffice.
  @Test(arguments: FrameLayout.all) func itLooksIntoAllMemory(_ layout: FrameLayout) throws {
    let stream = try StreamFormat(width: 64, height: 36)
    var secrets = Secrets()
    secrets.insert(NoisyRoom.junk)
    let oracle = PrivacyOracle(secrets)
    let buffer = unsafe try stream.makeNoisyBuffer(layout)
    defer { unsafe GStreamer.unrefMini(buffer) }
    unsafe oracle.look(at: buffer)
    let hasJunk =
      layout.padding >= 8 || layout.gap > 0 || layout.tail > 0 || layout.hidden.before > 0
      || layout.hidden.after > 0 || layout.border > 0 || layout.hasSpareMemory
    #expect(oracle.takeSightings().isEmpty == !hasJunk)
  }

  /// The exposure of pictures with a known value.
  @Test(arguments: PixelFormat.allCases) func exposureIsTheShareOfTheNoise(
    _ format: PixelFormat
  ) throws {
    for size in [(16, 16), (17, 19), (160, 90)] {
      let filter = try TestFilter(
        width: size.0, height: size.1, sink: "video/x-raw, format=\(format.name)",
        ["active": "false"])
      let raw = unsafe try filter.stream.makeNoisyBuffer(FrameLayout(isDescribed: false))
      try #require(unsafe filter.push(raw) == GST_FLOW_OK)
      let shown = try #require(try filter.pullPlanes())
      // Conversion to RGB clips the extremes of the noise.
      #expect(abs(NoisyRoom.exposure(of: shown) - 1) < (format.isRGB ? 0.2 : 0.02))
      filter.set("active", "true")
      filter.set("effect", "color")
      let other = unsafe try filter.stream.makeNoisyBuffer(FrameLayout(isDescribed: false))
      try #require(unsafe filter.push(other) == GST_FLOW_OK)
      #expect(NoisyRoom.exposure(of: try #require(try filter.pullPlanes())) < 0.05)
    }
  }

  /// The oracle sees all output: with `active=false` this includes the room.
  @Test func theOracleSeesAllOutput() throws {
    let filter = try TestFilter(["active": "false"])
    var secrets = NoisyRoom.secrets(of: filter.stream.frameFormat)
    secrets.insert(Self.cover.bytes)
    let oracle = PrivacyOracle(secrets)
    unsafe oracle.watch(filter.sourcePad, filter.bus)
    filter.start()
    try #require(unsafe filter.send(try PictureEvent.image.make(Self.cover)))
    let buffer = unsafe try filter.stream.makeNoisyBuffer(FrameLayout())
    try #require(unsafe filter.push(buffer) == GST_FLOW_OK)
    unsafe gst_element_post_message(
      filter.element, gst_message_new_tag(nil, try Self.cover.makeTags()))
    unsafe oracle.look(atKeptBy: filter.sourcePad)
    let seen = Set(oracle.takeDepartures().filter { !$0.sightings.isEmpty }.map(\.kind))
    #expect(seen == ["tag", "frame", "message", "kept events"])
  }
}
