import CGStreamer

/// Removes data that may show the real background from events.
///
/// Events may contain covers, previews, attachments and frames. Text, numbers and times are kept.
/// Data of unknown types are removed. The functions are stateless and thread-safe.
enum EventPictures {
  /// Returns a copy of an event without pictures, or nil if the event contains only plain data.
  ///
  /// The caller owns the copy. A `GstStream` in the event is always replaced by a copy, because the
  /// owner of the original may add a picture to it later.
  ///
  /// Safety: `event` must be valid during the call.
  static func copyWithoutPictures(
    of event: UnsafeMutablePointer<GstEvent>
  ) -> UnsafeMutablePointer<GstEvent>? {
    guard let structure = unsafe gst_event_get_structure(event),
      unsafe !PlainData.containsOnlyPlainValues(structure),
      let copy = unsafe gst_event_copy(event),
      let fields = unsafe gst_event_writable_structure(copy)
    else { return nil }
    unsafe remove(from: fields, depth: 0)
    return unsafe copy
  }

  /// The maximum depth of nested messages.
  ///
  /// An event may contain a message. A message within that message is removed.
  private static let maxDepth = 1

  /// Replaces each field that is not plain by a copy without pictures, or removes the field.
  private static func remove(from structure: UnsafeMutablePointer<GstStructure>, depth: Int) {
    for name in unsafe PlainData.nonPlainFields(of: structure) {
      guard let value = unsafe gst_structure_get_value(structure, name),
        var cleaned = unsafe copy(of: value, depth: depth)
      else {
        unsafe gst_structure_remove_field(structure, name)
        continue
      }
      unsafe gst_structure_take_value(structure, name, &cleaned)
    }
  }

  /// Returns a copy of a value without pictures, or nil if the value must be removed.
  private static func copy(of value: UnsafePointer<GValue>, depth: Int) -> GValue? {
    let type = unsafe value.pointee.g_type
    switch type {
    case gst_tag_list_get_type():
      return unsafe boxed(type, g_value_get_boxed(value)) { list in
        unsafe UnsafeMutableRawPointer(
          copyPlainTags(of: list.assumingMemoryBound(to: GstTagList.self)))
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
      // Code that reads this field expects a buffer, so the copy has an empty one.
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

  /// Returns a value of a boxed type with a copy of `content`, or nil if there is no copy.
  private static func boxed(
    _ type: GType, _ content: gpointer?, _ copy: (gpointer) -> gpointer?
  ) -> GValue? {
    guard let content = unsafe content, let copy = unsafe copy(content) else { return nil }
    var value = GValue()
    _ = unsafe g_value_init(&value, type)
    unsafe g_value_take_boxed(&value, copy)
    return value
  }

  /// Returns a value of an object type with a copy of `content`, or nil if there is no copy.
  private static func object(
    _ type: GType, _ content: gpointer?, _ copy: (gpointer) -> gpointer?
  ) -> GValue? {
    guard let content = unsafe content, let copy = unsafe copy(content) else { return nil }
    var value = GValue()
    _ = unsafe g_value_init(&value, type)
    unsafe g_value_take_object(&value, copy)
    return value
  }

  /// Returns a copy of a tag list with only the plain tags.
  ///
  /// The caller owns the copy.
  private static func copyPlainTags(
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

  /// Returns a copy of a table of contents with only the plain tags.
  ///
  /// The caller owns the copy.
  private static func copy(ofContents toc: OpaquePointer) -> OpaquePointer? {
    guard let copy = unsafe gst_mini_object_copy(UnsafePointer(toc)) else { return nil }
    let contents = OpaquePointer(copy)
    if let tags = unsafe gst_toc_get_tags(contents) {
      unsafe gst_toc_set_tags(contents, copyPlainTags(of: tags))
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
        unsafe gst_toc_entry_set_tags(entry, copyPlainTags(of: tags))
      }
      unsafe removePictures(ofEntries: gst_toc_entry_get_sub_entries(entry))
    }
  }

  /// Returns a copy of a stream's description with only the plain fields and tags.
  ///
  /// The caller owns the copy.
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
          unsafe PlainData.removeNonPlainFields(of: $0)
        }
      }
    }
    let copy = unsafe gst_stream_new(
      gst_stream_get_stream_id(stream), plainCaps, gst_stream_get_stream_type(stream),
      gst_stream_get_stream_flags(stream))
    if let tags = unsafe tags, let plainTags = unsafe copyPlainTags(of: tags) {
      unsafe gst_stream_set_tags(copy, plainTags)
      unsafe unref(plainTags)
    }
    return unsafe copy
  }

  /// Returns a collection of copies of the streams, with only their plain fields and tags.
  ///
  /// The caller owns the collection.
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
      // The collection takes ownership of `plain`.
      unsafe gst_stream_collection_add_stream(copy, plain)
    }
    return unsafe copy
  }
}
