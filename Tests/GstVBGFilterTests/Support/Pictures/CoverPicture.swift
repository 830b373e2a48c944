import CGStreamer
import TestSupport
import Testing

/// A picture of the room, such as a file's cover picture, and events that carry it.
struct CoverPicture {
  /// Random bytes, which tests never decode.
  let bytes: [UInt8]

  /// Makes random bytes, optionally after the start of a JPEG file.
  ///
  /// Demuxers derive the type of a picture from its first bytes.
  init(seed: UInt64, startsLikeJPEG: Bool = false) {
    var random = SeededGenerator(seed: seed)
    bytes = (startsLikeJPEG ? [0xFF, 0xD8, 0xFF, 0xE0] : []) + random.bytes(400)
  }

  var secrets: Secrets {
    var secrets = Secrets()
    secrets.insert(bytes)
    return secrets
  }

  /// Returns the picture as a buffer, which the caller owns.
  func makeBuffer() throws -> UnsafeMutablePointer<GstBuffer> {
    let buffer = unsafe try #require(gst_buffer_new_allocate(nil, gsize(bytes.count), nil))
    unsafe gst_buffer_fill(buffer, 0, bytes, gsize(bytes.count))
    return unsafe buffer
  }

  /// Returns the picture as a GstSample, the type of values in tags.
  func makeSample() throws -> GValue {
    let buffer = unsafe try makeBuffer()
    defer { unsafe GStreamer.unrefMini(buffer) }
    let caps = unsafe try #require(gst_caps_from_string("image/jpeg, width=8, height=8"))
    defer { unsafe GStreamer.unrefMini(caps) }
    var value = GValue()
    _ = unsafe g_value_init(&value, gst_sample_get_type())
    unsafe g_value_take_boxed(
      &value, UnsafeMutableRawPointer(gst_sample_new(buffer, caps, nil, nil)))
    return value
  }

  /// Returns a tag list with a title and the picture, which the caller owns.
  func makeTags(
    _ tag: String = "image", scope: GstTagScope = GST_TAG_SCOPE_STREAM
  ) throws -> UnsafeMutablePointer<GstTagList> {
    let list = unsafe try #require(gst_tag_list_new_from_string("taglist, title=(string)Talk"))
    unsafe gst_tag_list_set_scope(list, scope)
    var sample = try makeSample()
    unsafe gst_tag_list_add_value(list, GST_TAG_MERGE_APPEND, tag, &sample)
    unsafe g_value_unset(&sample)
    return unsafe list
  }

  /// Returns a table of contents with the picture in its own tags and in those for an inner entry.
  func makeContents() throws -> OpaquePointer {
    let contents = unsafe try #require(gst_toc_new(GST_TOC_SCOPE_GLOBAL))
    unsafe gst_toc_set_tags(contents, try makeTags())
    let edition = unsafe try #require(gst_toc_entry_new(GST_TOC_ENTRY_TYPE_EDITION, "all"))
    let chapter = unsafe try #require(gst_toc_entry_new(GST_TOC_ENTRY_TYPE_CHAPTER, "first"))
    unsafe gst_toc_entry_set_tags(chapter, try makeTags())
    unsafe gst_toc_entry_append_sub_entry(edition, chapter)
    unsafe gst_toc_append_entry(contents, edition)
    return unsafe contents
  }

  /// Returns a stream description with the picture in its tags, which the caller owns.
  func makeStream() throws -> UnsafeMutablePointer<GstStream> {
    let stream = unsafe try #require(
      gst_stream_new("room/1", nil, GST_STREAM_TYPE_VIDEO, GST_STREAM_FLAG_SELECT))
    let tags = unsafe try makeTags()
    unsafe gst_stream_set_tags(stream, tags)
    unsafe GStreamer.unrefMini(tags)
    return unsafe stream
  }
}

/// The ways in which an event can carry a picture.
enum PictureEvent: String, CaseIterable, Sendable {
  case image, previewImage, attachment, applicationData, globalTag
  case contents, streamStart, streamCollection, sinkMessage, protection
  case custom, customOutOfBand, customKept, customBoth

  /// Whether pads keep the event, and so send it again when the room may be visible.
  var isKept: Bool {
    switch self {
    case .image, .previewImage, .attachment, .applicationData, .globalTag, .contents, .sinkMessage,
      .protection, .customKept:
      true
    case .streamStart, .streamCollection, .custom, .customOutOfBand, .customBoth: false
    }
  }

  /// Whether it describes a stream.
  ///
  /// The filter never passes on such a picture, because it also arrives as a tag.
  var describesStream: Bool { self == .streamStart || self == .streamCollection }

  /// Makes the event, which the caller owns.
  func make(_ cover: CoverPicture) throws -> UnsafeMutablePointer<GstEvent> {
    switch self {
    case .image: unsafe try tag("image", cover)
    case .previewImage: unsafe try tag("preview-image", cover)
    case .attachment: unsafe try tag("attachment", cover)
    case .applicationData: unsafe try tag("application-data", cover)
    case .globalTag:
      unsafe try #require(gst_event_new_tag(cover.makeTags(scope: GST_TAG_SCOPE_GLOBAL)))
    case .contents: unsafe try contents(cover)
    case .streamStart: unsafe try streamStart(cover)
    case .streamCollection: unsafe try collection(cover)
    case .sinkMessage:
      unsafe try sinkMessage(cover)
    case .protection: unsafe try protection(cover)
    case .custom: unsafe try custom(GST_EVENT_CUSTOM_DOWNSTREAM, cover)
    case .customOutOfBand: unsafe try custom(GST_EVENT_CUSTOM_DOWNSTREAM_OOB, cover)
    case .customKept: unsafe try custom(GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, cover)
    case .customBoth: unsafe try custom(GST_EVENT_CUSTOM_BOTH, cover)
    }
  }

  private func tag(_ name: String, _ cover: CoverPicture) throws -> UnsafeMutablePointer<GstEvent> {
    unsafe try #require(gst_event_new_tag(cover.makeTags(name)))
  }

  private func contents(_ cover: CoverPicture) throws -> UnsafeMutablePointer<GstEvent> {
    let contents = unsafe try cover.makeContents()
    defer { unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(contents)) }
    return unsafe try #require(gst_event_new_toc(contents, 0))
  }

  private func streamStart(_ cover: CoverPicture) throws -> UnsafeMutablePointer<GstEvent> {
    let event = unsafe try #require(gst_event_new_stream_start("room/1"))
    let stream = unsafe try cover.makeStream()
    unsafe gst_event_set_stream(event, stream)
    unsafe GStreamer.unref(stream)
    return unsafe event
  }

  private func collection(_ cover: CoverPicture) throws -> UnsafeMutablePointer<GstEvent> {
    let streams = unsafe try #require(gst_stream_collection_new("room"))
    defer { unsafe GStreamer.unref(streams) }
    unsafe gst_stream_collection_add_stream(streams, try cover.makeStream())
    return unsafe try #require(gst_event_new_stream_collection(streams))
  }

  private func sinkMessage(_ cover: CoverPicture) throws -> UnsafeMutablePointer<GstEvent> {
    let message = unsafe try #require(gst_message_new_tag(nil, cover.makeTags()))
    defer { unsafe GStreamer.unrefMini(message) }
    return unsafe try #require(gst_event_new_sink_message("room", message))
  }

  private func protection(_ cover: CoverPicture) throws -> UnsafeMutablePointer<GstEvent> {
    let buffer = unsafe try cover.makeBuffer()
    defer { unsafe GStreamer.unrefMini(buffer) }
    return unsafe try #require(gst_event_new_protection("system", buffer, "room"))
  }

  private func custom(
    _ type: GstEventType, _ cover: CoverPicture
  ) throws -> UnsafeMutablePointer<GstEvent> {
    let structure = unsafe try #require(
      gst_structure_from_string("room, count=(int)3, names=(string)< a, b >", nil))
    var sample = try cover.makeSample()
    unsafe gst_structure_set_value(structure, "frame", &sample)
    // The sample is also in a list in a structure.
    var list = GValue()
    _ = unsafe g_value_init(&list, gst_value_list_get_type())
    unsafe gst_value_list_append_and_take_value(&list, &sample)
    let inner = unsafe try #require(gst_structure_new_empty("inner"))
    unsafe gst_structure_take_value(inner, "frames", &list)
    var nested = GValue()
    _ = unsafe g_value_init(&nested, gst_structure_get_type())
    unsafe g_value_take_boxed(&nested, UnsafeMutableRawPointer(inner))
    unsafe gst_structure_take_value(structure, "inner", &nested)
    return unsafe try #require(gst_event_new_custom(type, structure))
  }
}
