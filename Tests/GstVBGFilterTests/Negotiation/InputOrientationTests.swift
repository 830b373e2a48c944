import CGStreamer
import TestSupport
import Testing

@testable import GstVBGFilter

/// Frames that must be turned according to a tag or the property.
@Suite struct InputOrientationTests {
  /// The values of the tag and of the property for each Exif orientation.
  static let words: [Int: (tag: String, nick: String)] = [
    1: ("rotate-0", "identity"), 2: ("flip-rotate-0", "horiz"), 3: ("rotate-180", "180"),
    4: ("flip-rotate-180", "vert"), 5: ("flip-rotate-270", "ul-lr"), 6: ("rotate-90", "90r"),
    7: ("flip-rotate-90", "ur-ll"), 8: ("rotate-270", "90l"),
  ]
  /// Colours that differ clearly from the marks of `Room`.
  static let quarters: [StoredColor] = [
    .red, .green, StoredColor(red: 128, green: 128, blue: 128),
    StoredColor(red: 150, green: 100, blue: 220),
  ]

  private let folder = TemporaryFolder()

  /// Makes a filter with a background of four quarters in different colours.
  private func makeFilter(_ properties: [String: String] = [:]) throws -> TestFilter {
    let picture = StoredPicture(width: 64, height: 64) { x, y in
      Self.quarters[(x < 32 ? 0 : 1) + (y < 32 ? 0 : 2)]
    }
    let path = folder.write("quarters.png", try picture.encoded(as: .png))
    return try TestFilter(["background-path": path, "fit": "stretch"].with(properties))
  }

  private func send(
    _ word: String, _ filter: TestFilter, scope: GstTagScope = GST_TAG_SCOPE_STREAM
  ) throws {
    let tags = unsafe try #require(gst_tag_list_new_empty())
    unsafe gst_tag_list_set_scope(tags, scope)
    var value = GValue()
    _ = unsafe g_value_init(&value, 16 << 2)  // G_TYPE_STRING
    defer { unsafe g_value_unset(&value) }
    unsafe g_value_set_string(&value, word)
    unsafe gst_tag_list_add_value(tags, GST_TAG_MERGE_REPLACE, "image-orientation", &value)
    try #require(unsafe filter.send(try #require(gst_event_new_tag(tags))))
  }

  /// Returns the orientation that turns the background in a frame upright, if any.
  private func orientation(of picture: TestPicture) -> Int? {
    let (width, height) = (picture.format.width, picture.format.height)
    return TurnedPlace.orientations.first { value in
      [(4, 4), (width - 5, 4), (4, height - 5), (width - 5, height - 5)].allSatisfy { x, y in
        let place = TurnedPlace.upright(x, y, width: width, height: height, orientation: value)
        let isTurned = value > 4
        let (right, lower) = (
          2 * place.x > (isTurned ? height : width), 2 * place.y > (isTurned ? width : height)
        )
        let color = Self.quarters[(right ? 1 : 0) + (lower ? 2 : 0)]
        let code = picture.format.colorimetry.codeValues(
          red: color.red, green: color.green, blue: color.blue)
        return abs(picture.luma(x, y) - Int(code.luma)) <= 3
          && abs(picture.chroma(x, y).cb - Int(code.cb)) <= 3
      }
    }
  }

  private func orientation(_ filter: TestFilter) throws -> Int? {
    let picture = try filter.process()
    // This only excludes frames that show most of the room. `orientation(of:)` compares the colours
    // of the background.
    #expect(Room.showsPerson(picture) && Room.visiblePart(of: picture) <= 0.5)
    return orientation(of: picture)
  }

  @Test(
    "finds people and turns backgrounds according to the tag", arguments: 1...8,
    [GST_TAG_SCOPE_STREAM.rawValue, GST_TAG_SCOPE_GLOBAL.rawValue])
  func tags(_ value: Int, _ scope: UInt32) throws {
    let filter = try makeFilter()
    let word = try #require(Self.words[value]).tag
    try send(word, filter, scope: GstTagScope(rawValue: scope))
    #expect(try orientation(filter) == value)
    #expect(filter.models.compiled == ["good \(value > 4 ? "180x320" : "320x180")"])
    #expect(filter.messages().isEmpty)
    // The tag is passed on to the sink, which turns the frames.
    let event = unsafe try #require(gst_pad_get_sticky_event(filter.sourcePad, GST_EVENT_TAG, 0))
    defer { unsafe gst_event_unref(event) }
    var tags: UnsafeMutablePointer<GstTagList>?
    unsafe gst_event_parse_tag(event, &tags)
    var sent: UnsafeMutablePointer<gchar>?
    #expect(unsafe gst_tag_list_get_string(try #require(tags), "image-orientation", &sent) != 0)
    #expect(unsafe String(cString: try #require(sent)) == word)
    unsafe g_free(sent)
  }

  @Test("prefers the stream tag to the global tag in any order", arguments: [true, false])
  func scopes(_ streamIsFirst: Bool) throws {
    let filter = try makeFilter()
    if streamIsFirst { try send("rotate-180", filter) }
    try send("rotate-90", filter, scope: GST_TAG_SCOPE_GLOBAL)
    if !streamIsFirst { try send("rotate-180", filter) }
    #expect(try orientation(filter) == 3)
  }

  @Test("follows changes in the next frame, until a new stream begins")
  func changes() throws {
    let filter = try makeFilter()
    #expect(try orientation(filter) == 1)
    for value in [6, 3, 8, 1, 5] {
      try send(try #require(Self.words[value]).tag, filter)
      #expect(try orientation(filter) == value)
      #expect(try orientation(filter) == value)
    }
    // Unrelated tags and unknown values change nothing.
    try send("upside-down", filter)
    let bitrate = unsafe try #require(gst_tag_list_new_from_string("taglist, bitrate=(uint)1000;"))
    try #require(unsafe filter.send(try #require(gst_event_new_tag(bitrate))))
    #expect(try orientation(filter) == 5)
    try filter.flush()
    #expect(try orientation(filter) == 5)
    try #require(unsafe filter.send(try #require(gst_event_new_stream_start("another"))))
    #expect(try orientation(filter) == 1)
    #expect(filter.messages().isEmpty)
  }

  @Test("prefers the property to the tag", arguments: 1...8)
  func properties(_ value: Int) throws {
    let filter = try makeFilter(["input-orientation": try #require(Self.words[value]).nick])
    try send(try #require(Self.words[value == 3 ? 8 : 3]).tag, filter)
    #expect(try orientation(filter) == value)
    filter.set("input-orientation", "auto")
    #expect(try orientation(filter) == (value == 3 ? 8 : 3))
  }

  @Test("keeps the orientation when the format changes")
  func formats() throws {
    let filter = try makeFilter()
    try send("rotate-90", filter)
    #expect(try orientation(filter) == 6)
    try filter.renegotiate(width: 160, height: 250)
    #expect(try orientation(filter) == 6)
    #expect(filter.models.compiled.last == "good 250x160")
  }

  @Test("returns mattes and alpha in the orientation of the frames", arguments: 1...8)
  func mattes(_ value: Int) throws {
    let nick = try #require(Self.words[value]).nick
    let filter = try TestFilter(
      width: 321, height: 181, sink: "video/x-raw, format=RGBA",
      ["input-orientation": nick, "effect": "transparent", "attach-matte": "true"])
    // A person near the left edge of the stored frame, above the middle.
    let person = (x: 20..<120, y: 20..<80)
    let picture = TestPicture(format: filter.stream.frameFormat, (20, 60, 220))
    picture.paint((210, 20, 30)) { person.x ~= $0 && person.y ~= $1 }
    let output = unsafe try filter.output(of: filter.makeBuffer(picture))
    defer { unsafe GStreamer.unrefMini(output) }
    let matte = unsafe try #require(try AttachedMatte(of: output))
    let stream = try StreamFormat(.rgba, width: 321, height: 181)
    let planes = unsafe try stream.planes(in: output, of: filter.stream.frameFormat)
    #expect(matte.width == (321 + matte.step - 1) / matte.step)
    #expect(matte.frameWidth == 321 && matte.frameHeight == 181)
    for y in stride(from: 2, to: 181, by: 5) {
      for x in stride(from: 2, to: 321, by: 5) {
        let isNear = 10..<130 ~= x && 10..<90 ~= y
        let isWithin = 30..<110 ~= x && 30..<70 ~= y
        if isNear != isWithin { continue }
        let sample = matte.samples[y / matte.step * matte.width + x / matte.step]
        let alphas = [sample, planes.byte(4 * x + 3, y)]
        #expect(alphas.allSatisfy { isWithin ? $0 > 250 : $0 < 5 }, "\(x), \(y): \(alphas)")
      }
    }
  }
}
