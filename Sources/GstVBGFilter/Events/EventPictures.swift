import CGStreamer

/// Removes possible pictures of the room from events: covers, previews, attachments, frames.
///
/// Text, numbers and times stay. Unknown data are removed. The functions keep no state and may run
/// on any thread.
enum EventPictures {
  /// Returns a copy of an event without its pictures, or nil if it has no pictures.
  ///
  /// The caller owns the copy. A `GstStream` is always copied, because the owner of the
  /// original may add a picture to it later.
  static func removed(
    from event: UnsafeMutablePointer<GstEvent>
  ) -> UnsafeMutablePointer<GstEvent>? {
    guard let structure = unsafe gst_event_get_structure(event),
      unsafe !PlainData.containsOnlyPlainValues(structure),
      let copy = unsafe gst_event_copy(event),
      let fields = unsafe gst_event_writable_structure(copy)
    else { return nil }
    unsafe remove(from: fields, depth: 0)
    return unsafe copy
  }

  /// The maximum depth of nested messages: events may contain messages, but messages contain no
  /// events.
  private static let maxDepth = 1

  private static func remove(from structure: UnsafeMutablePointer<GstStructure>, depth: Int) {
    for name in unsafe PlainData.otherFields(of: structure) {
      guard let value = unsafe gst_structure_get_value(structure, name),
        var cleaned = unsafe copy(of: value, depth: depth)
      else {
        unsafe gst_structure_remove_field(structure, name)
        continue
      }
      unsafe gst_structure_take_value(structure, name, &cleaned)
    }
  }

  /// A value of the same type without pictures, or nil if there is no such value.
  private static func copy(of value: UnsafePointer<GValue>, depth: Int) -> GValue? {
    let type = unsafe value.pointee.g_type
    switch type {
    case gst_tag_list_get_type():
      return unsafe boxed(type, g_value_get_boxed(value)) { list in
        unsafe UnsafeMutableRawPointer(text(of: list.assumingMemoryBound(to: GstTagList.self)))
      }
    case gst_toc_get_type():
      return unsafe boxed(type, g_value_get_boxed(value)) { toc in
        unsafe copy(ofContents: OpaquePointer(toc)).map { unsafe UnsafeMutableRawPointer($0) }
      }
    case gst_message_get_type() where depth < maxDepth:
      return unsafe boxed(type, g_value_get_boxed(value)) { message in
        guard
          let copy = unsafe gst_message_copy(message.assumingMemoryBound(to: GstMessage.self))
        else { return nil }
        if unsafe gst_message_get_structure(copy) != nil,
          let fields = unsafe gst_message_writable_structure(copy)
        {
          unsafe remove(from: fields, depth: depth + 1)
        }
        return UnsafeMutableRawPointer(copy)
      }
    case gst_buffer_get_type():
      // Code that reads the buffer expects one.
      return unsafe boxed(type, g_value_get_boxed(value)) { _ in
        unsafe UnsafeMutableRawPointer(gst_buffer_new())
      }
    case gst_stream_get_type():
      return unsafe object(type, g_value_get_object(value)) { stream in
        unsafe copy(ofStream: stream.assumingMemoryBound(to: GstStream.self)).map {
          UnsafeMutableRawPointer($0)
        }
      }
    case gst_stream_collection_get_type():
      return unsafe object(type, g_value_get_object(value)) { streams in
        unsafe copy(ofStreams: streams.assumingMemoryBound(to: GstStreamCollection.self)).map {
          UnsafeMutableRawPointer($0)
        }
      }
    default:
      return nil
    }
  }

  private static func boxed(
    _ type: GType, _ content: gpointer?, _ copy: (gpointer) -> gpointer?
  ) -> GValue? {
    guard let content = unsafe content, let copy = unsafe copy(content) else { return nil }
    var value = GValue()
    _ = unsafe g_value_init(&value, type)
    unsafe g_value_take_boxed(&value, copy)
    return value
  }

  private static func object(
    _ type: GType, _ content: gpointer?, _ copy: (gpointer) -> gpointer?
  ) -> GValue? {
    guard let content = unsafe content, let copy = unsafe copy(content) else { return nil }
    var value = GValue()
    _ = unsafe g_value_init(&value, type)
    unsafe g_value_take_object(&value, copy)
    return value
  }

  /// The tags of a list that are plain, in a list that the caller owns.
  private static func text(
    of tags: UnsafePointer<GstTagList>
  ) -> UnsafeMutablePointer<GstTagList>? {
    guard let copy = unsafe gst_tag_list_copy(tags) else { return nil }
    for index in (0..<(unsafe gst_tag_list_n_tags(copy))).reversed() {
      guard let name = unsafe gst_tag_list_nth_tag_name(copy, guint(index)),
        !PlainData.isPlain(unsafe gst_tag_get_type(name))
      else { continue }
      unsafe gst_tag_list_remove_tag(copy, name)
    }
    return unsafe copy
  }

  /// A table of contents with plain tags in its entries.
  ///
  /// The caller owns it.
  private static func copy(ofContents toc: OpaquePointer) -> OpaquePointer? {
    guard let copy = unsafe gst_mini_object_copy(UnsafePointer(toc)) else { return nil }
    let contents = OpaquePointer(copy)
    if let tags = unsafe gst_toc_get_tags(contents) {
      unsafe gst_toc_set_tags(contents, text(of: tags))
    }
    unsafe removePictures(ofEntries: gst_toc_get_entries(contents))
    return unsafe contents
  }

  private static func removePictures(ofEntries list: UnsafeMutablePointer<GList>?) {
    var next = unsafe list
    while let item = unsafe next {
      unsafe next = item.pointee.next
      guard let data = unsafe item.pointee.data else { continue }
      let entry = OpaquePointer(data)
      if let tags = unsafe gst_toc_entry_get_tags(entry) {
        unsafe gst_toc_entry_set_tags(entry, text(of: tags))
      }
      unsafe removePictures(ofEntries: gst_toc_entry_get_sub_entries(entry))
    }
  }

  /// A copy of the plain parts of a stream's description.
  ///
  /// The caller owns it.
  private static func copy(
    ofStream stream: UnsafeMutablePointer<GstStream>
  ) -> UnsafeMutablePointer<GstStream>? {
    let caps = unsafe gst_stream_get_caps(stream)
    let tags = unsafe gst_stream_get_tags(stream)
    defer {
      if let caps = unsafe caps { unsafe unref(caps) }
      if let tags = unsafe tags { unsafe unref(tags) }
    }
    let plainCaps = unsafe caps.flatMap { unsafe gst_caps_copy($0) }
    defer { if let plainCaps = unsafe plainCaps { unsafe unref(plainCaps) } }
    if let plainCaps = unsafe plainCaps {
      for index in 0..<(unsafe gst_caps_get_size(plainCaps)) {
        unsafe gst_caps_get_structure(plainCaps, index).map {
          unsafe PlainData.removeOtherFields(of: $0)
        }
      }
    }
    let copy = unsafe gst_stream_new(
      gst_stream_get_stream_id(stream), plainCaps, gst_stream_get_stream_type(stream),
      gst_stream_get_stream_flags(stream))
    if let tags = unsafe tags, let plainTags = unsafe text(of: tags) {
      unsafe gst_stream_set_tags(copy, plainTags)
      unsafe unref(plainTags)
    }
    return unsafe copy
  }

  private static func copy(
    ofStreams streams: UnsafeMutablePointer<GstStreamCollection>
  ) -> UnsafeMutablePointer<GstStreamCollection>? {
    guard
      let copy = unsafe gst_stream_collection_new(gst_stream_collection_get_upstream_id(streams))
    else { return nil }
    for index in 0..<(unsafe gst_stream_collection_get_size(streams)) {
      guard let stream = unsafe gst_stream_collection_get_stream(streams, index),
        let plain = unsafe self.copy(ofStream: stream)
      else { continue }
      // Takes it over.
      unsafe gst_stream_collection_add_stream(copy, plain)
    }
    return unsafe copy
  }

  private static func unref<Object>(_ object: UnsafeMutablePointer<Object>) {
    unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(object)))
  }
}
