import CGStreamer
import Testing

@testable import GstVBGFilter

/// Pictures of the room in events: covers, previews and attachments.
@Suite struct EventPictureTests {
  private static let cover = CoverPicture(seed: 1)

  /// Makes a filter and the oracle that examines its output, and processes the first frame.
  private func makeFilter(
    _ properties: [String: String] = [:]
  ) throws -> (filter: TestFilter, oracle: PrivacyOracle) {
    let filter = try TestFilter(["effect": "color"].with(properties))
    let oracle = PrivacyOracle(Self.cover.secrets)
    unsafe oracle.watch(filter.sourcePad, filter.bus)
    filter.start()
    return (filter, oracle)
  }

  /// Sends an event and returns the departures in their order.
  private func send(
    _ kind: PictureEvent, _ filter: TestFilter, _ oracle: PrivacyOracle
  ) throws -> [PrivacyOracle.Departure] {
    _ = oracle.takeDepartures()
    try #require(unsafe filter.send(try kind.make(Self.cover)))
    return oracle.takeDepartures()
  }

  @Test(arguments: PictureEvent.allCases)
  func aPictureIsRemovedWhileTheRoomIsHidden(_ kind: PictureEvent) throws {
    let (filter, oracle) = try makeFilter()
    for isFirst in [true, false] {
      let sent = try send(kind, filter, oracle)
      // The event passes without the picture.
      #expect(sent.count == 1)
      #expect(sent.flatMap(\.sightings) == [])
      _ = try filter.process()
      let frame = oracle.takeDepartures()
      #expect(frame.last?.kind == "frame")
      #expect(frame.flatMap(\.sightings) == [])
      // The element does not send the event again.
      if !isFirst { #expect(frame.count == 1) }
    }
    unsafe oracle.look(atKeptBy: filter.sourcePad)
    #expect(oracle.takeSightings() == [])
  }

  /// Pictures pass while the room may be visible, which also proves that the oracle sees them.
  @Test(
    arguments: PictureEvent.allCases,
    [["active": "false"], ["effect": "none"], ["effect": "blur", "blur-radius": "0"]])
  func aPicturePassesWhileTheRoomIsShown(
    _ kind: PictureEvent, _ properties: [String: String]
  ) throws {
    let (filter, oracle) = try makeFilter(properties)
    _ = try filter.process()
    let sent = try send(kind, filter, oracle)
    #expect(sent.count == 1)
    #expect(sent.flatMap(\.sightings).isEmpty == kind.describesStream)
  }

  /// A pad that is linked later receives the sticky events, so they must match the frames.
  @Test(
    "updates the sticky events on the pad when the room is hidden or shown",
    arguments: PictureEvent.allCases.filter(\.isKept))
  func updatesStickyEvents(_ kind: PictureEvent) throws {
    let (filter, oracle) = try makeFilter()
    _ = try filter.process()
    _ = try send(kind, filter, oracle)
    for round in 0..<4 {
      let isHidden = round % 2 == 1
      filter.set("active", "\(isHidden)")
      for isFirst in [true, false] {
        _ = try filter.process()
        let departures = oracle.takeDepartures()
        let sent = departures.filter { $0.kind != "message" }
        #expect(departures.allSatisfy { $0.kind != "message" || $0.sightings.isEmpty })
        // If the event was sent again, it comes once, before the frame.
        #expect(sent.map { $0.kind == "frame" } == (isFirst ? [false, true] : [true]))
        #expect(sent.first?.sightings.isEmpty == (isHidden || !isFirst))
        unsafe oracle.look(atKeptBy: filter.sourcePad)
        #expect(oracle.takeSightings().isEmpty == isHidden)
      }
    }
  }

  /// Text, times and numbers stay unchanged.
  @Test func theRestOfATagEventStays() throws {
    let (filter, _) = try makeFilter()
    _ = try filter.process()
    let event = unsafe try PictureEvent.image.make(Self.cover)
    let number = unsafe gst_event_get_seqnum(event)
    try #require(unsafe filter.send(event))
    let kept = unsafe try #require(lastTagEvent(of: filter))
    defer { unsafe GStreamer.unrefMini(kept) }
    #expect(unsafe gst_event_get_seqnum(kept) == number)
    var tags: UnsafeMutablePointer<GstTagList>?
    unsafe gst_event_parse_tag(kept, &tags)
    #expect(unsafe gst_tag_list_n_tags(tags) == 1)
    var title: UnsafeMutablePointer<CChar>?
    #expect(unsafe gst_tag_list_get_string(tags, "title", &title) != 0)
    #expect(unsafe title.map { unsafe String(cString: $0) } == "Talk")
    unsafe g_free(title)
  }

  /// An event with only text passes as the same object.
  @Test func anEventWithoutPicturesIsUnchanged() throws {
    let (filter, _) = try makeFilter()
    _ = try filter.process()
    let list = unsafe try #require(gst_tag_list_new_from_string("taglist, title=(string)Talk"))
    let event = unsafe try #require(gst_event_new_tag(list))
    unsafe GStreamer.refMini(event)
    defer { unsafe GStreamer.unrefMini(event) }
    try #require(unsafe filter.send(event))
    let kept = unsafe try #require(lastTagEvent(of: filter))
    defer { unsafe GStreamer.unrefMini(kept) }
    #expect(unsafe kept == event)
  }

  /// The owner of a stream may add a picture to its description later.
  @Test func aPictureThatIsAddedLaterIsRemovedToo() throws {
    let (filter, oracle) = try makeFilter()
    let stream = unsafe try #require(
      gst_stream_new("room/1", nil, GST_STREAM_TYPE_VIDEO, GST_STREAM_FLAG_NONE))
    defer { unsafe GStreamer.unref(stream) }
    let event = unsafe try #require(gst_event_new_stream_start("room/1"))
    unsafe gst_event_set_stream(event, stream)
    try #require(unsafe filter.send(event))
    let tags = unsafe try Self.cover.makeTags()
    unsafe gst_stream_set_tags(stream, tags)
    unsafe GStreamer.unrefMini(tags)
    unsafe oracle.look(atKeptBy: filter.sourcePad)
    #expect(oracle.takeSightings() == [])
  }

  /// Stream tags end with their stream, and the element repeats only the newest ones.
  @Test func anObsoletePictureIsNotSentAgain() throws {
    let (filter, oracle) = try makeFilter()
    _ = try filter.process()
    _ = try send(.image, filter, oracle)
    try #require(unsafe filter.send(gst_event_new_stream_start("another")))
    filter.set("active", "false")
    try filter.renegotiate(width: 320, height: 180)
    _ = try filter.process()
    #expect(oracle.takeSightings() == [])
    // This list replaces the previous one.
    _ = try send(.image, filter, oracle)
    let list = unsafe try #require(gst_tag_list_new_from_string("taglist, title=(string)Talk"))
    try #require(unsafe filter.send(gst_event_new_tag(list)))
    filter.set("active", "true")
    _ = try filter.process()
    _ = oracle.takeDepartures()
    filter.set("active", "false")
    _ = try filter.process()
    #expect(oracle.takeDepartures().map(\.kind).filter { $0 != "message" } == ["frame"])
  }

  /// The picture would be in the caps that the sink receives.
  @Test(arguments: ["NV12", "RGBA"]) func capsCarryNoPictures(_ format: String) throws {
    let filter = try TestFilter(sink: "video/x-raw, format=\(format)", ["effect": "color"])
    let oracle = PrivacyOracle(Self.cover.secrets)
    unsafe oracle.watch(filter.sourcePad, filter.bus)
    filter.start()
    let plain = unsafe filter.stream.makeCaps()
    defer { unsafe GStreamer.unrefMini(plain) }
    let caps = unsafe try #require(gst_caps_copy(plain))
    var header = GValue()
    _ = unsafe g_value_init(&header, gst_buffer_get_type())
    unsafe g_value_take_boxed(&header, UnsafeMutableRawPointer(try Self.cover.makeBuffer()))
    unsafe gst_caps_set_value(caps, "streamheader", &header)
    unsafe g_value_unset(&header)
    #expect(unsafe filter.send(try #require(gst_event_new_caps(caps))))
    unsafe GStreamer.unrefMini(caps)
    _ = try filter.processToPlanes()
    unsafe oracle.look(atKeptBy: filter.sourcePad)
    #expect(oracle.takeSightings() == [])
  }

  /// Returns the tag event of the source pad, which the caller owns.
  private func lastTagEvent(of filter: TestFilter) -> UnsafeMutablePointer<GstEvent>? {
    unsafe gst_pad_get_sticky_event(filter.sourcePad, GST_EVENT_TAG, 0)
  }
}
