import CGStreamer
import GstElementSupport

/// Removes data that may show the real background from events.
///
/// Events may contain covers, previews, attachments and frames. Text, numbers and times are kept.
/// Data of unknown types are removed.
struct EventPictures {
  /// Whether something was removed.
  private var hasRemoved = false

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
    var pictures = EventPictures()
    unsafe pictures.remove(from: fields)
    if pictures.hasRemoved { return unsafe copy }
    unsafe unref(copy)
    return nil
  }

  /// Replaces each field that is not plain by a copy without pictures, or removes the field.
  private mutating func remove(
    from structure: UnsafeMutablePointer<GstStructure>, ofMessage isInMessage: Bool = false
  ) {
    for name in unsafe PlainData.nonPlainFields(of: structure) {
      guard let value = unsafe gst_structure_get_value(structure, name),
        var cleaned = unsafe copy(of: value, isInMessage)
      else {
        hasRemoved = true
        unsafe gst_structure_remove_field(structure, name)
        continue
      }
      unsafe gst_structure_take_value(structure, name, &cleaned)
    }
  }

  /// Returns a copy of a value without pictures, or nil if the value must be removed.
  private mutating func copy(of value: UnsafePointer<GValue>, _ isInMessage: Bool) -> GValue? {
    let type = unsafe value.pointee.g_type
    // Other types may have no pointer.
    let isObject = g_type_is_a(type, gst_object_get_type()) != 0
    guard unsafe isObject || g_type_is_a(type, g_type_from_name("GBoxed")) != 0,
      let content = unsafe g_value_peek_pointer(value)
    else { return nil }
    let copy: gpointer?
    switch type {
    case gst_tag_list_get_type():
      unsafe copy = gpointer(copyPlainTags(of: content.assumingMemoryBound(to: GstTagList.self)))
    case gst_toc_get_type():
      unsafe copy = gpointer(self.copy(ofContents: OpaquePointer(content)))
    // A message within a message is removed.
    case gst_message_get_type() where !isInMessage:
      unsafe copy = gpointer(gst_message_copy(content.assumingMemoryBound(to: GstMessage.self)))
      let message = unsafe copy?.assumingMemoryBound(to: GstMessage.self)
      if let message = unsafe message, unsafe gst_message_get_structure(message) != nil,
        let fields = unsafe gst_message_writable_structure(message)
      {
        unsafe remove(from: fields, ofMessage: true)
      }
    case gst_buffer_get_type():
      hasRemoved = true
      // Code that reads this field expects a buffer, so the copy has an empty one.
      unsafe copy = gpointer(gst_buffer_new())
    case gst_stream_get_type():
      unsafe copy = gpointer(self.copy(of: content.assumingMemoryBound(to: GstStream.self)))
    case gst_stream_collection_get_type():
      let streams = unsafe content.assumingMemoryBound(to: GstStreamCollection.self)
      unsafe copy = gpointer(self.copy(of: streams))
    default: return nil
    }
    guard let copy = unsafe copy else { return nil }
    return unsafe StructureBuilder.value(type) { value in
      if isObject {
        unsafe g_value_take_object(value, copy)
      } else {
        unsafe g_value_take_boxed(value, copy)
      }
    }
  }

  /// Returns a copy of a tag list with only the plain tags.
  ///
  /// The caller owns the copy.
  private mutating func copyPlainTags(
    of tags: UnsafePointer<GstTagList>
  ) -> UnsafeMutablePointer<GstTagList>? {
    guard let copy = unsafe gst_tag_list_copy(tags) else { return nil }
    for index in (0..<(unsafe gst_tag_list_n_tags(copy))).reversed() {
      guard let name = unsafe gst_tag_list_nth_tag_name(copy, guint(index)),
        !PlainData.isPlain(unsafe gst_tag_get_type(name))
      else { continue }
      hasRemoved = true
      unsafe gst_tag_list_remove_tag(copy, name)
    }
    return unsafe copy
  }

  /// Returns a copy of a table of contents with only the plain tags.
  ///
  /// The caller owns the copy.
  private mutating func copy(ofContents toc: OpaquePointer) -> OpaquePointer? {
    guard let copy = unsafe gst_mini_object_copy(UnsafePointer(toc)) else { return nil }
    let contents = OpaquePointer(copy)
    if let tags = unsafe gst_toc_get_tags(contents) {
      unsafe gst_toc_set_tags(contents, copyPlainTags(of: tags))
    }
    unsafe removePictures(ofEntries: gst_toc_get_entries(contents))
    return unsafe contents
  }

  private mutating func removePictures(ofEntries list: UnsafeMutablePointer<GList>?) {
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
  private mutating func copy(
    of stream: UnsafeMutablePointer<GstStream>
  ) -> UnsafeMutablePointer<GstStream>? {
    hasRemoved = true
    let caps = unsafe gst_stream_get_caps(stream)
    let tags = unsafe gst_stream_get_tags(stream)
    defer {
      if let caps = unsafe caps { unsafe unref(caps) }
      if let tags = unsafe tags { unsafe unref(tags) }
    }
    let copy = unsafe gst_stream_new(
      gst_stream_get_stream_id(stream), nil, gst_stream_get_stream_type(stream),
      gst_stream_get_stream_flags(stream))
    if let caps = unsafe caps, let plainCaps = unsafe gst_caps_copy(caps) {
      for index in 0..<(unsafe gst_caps_get_size(plainCaps)) {
        unsafe PlainData.removeNonPlainFields(of: gst_caps_get_structure(plainCaps, index))
      }
      unsafe gst_stream_set_caps(copy, plainCaps)
      unsafe unref(plainCaps)
    }
    if let tags = unsafe tags, let plainTags = unsafe copyPlainTags(of: tags) {
      unsafe gst_stream_set_tags(copy, plainTags)
      unsafe unref(plainTags)
    }
    return unsafe copy
  }

  /// Returns a collection of copies of the streams, with only their plain fields and tags.
  ///
  /// The caller owns the collection.
  private mutating func copy(
    of streams: UnsafeMutablePointer<GstStreamCollection>
  ) -> UnsafeMutablePointer<GstStreamCollection>? {
    guard
      let copy = unsafe gst_stream_collection_new(gst_stream_collection_get_upstream_id(streams))
    else { return nil }
    for index in 0..<(unsafe gst_stream_collection_get_size(streams)) {
      guard let stream = unsafe gst_stream_collection_get_stream(streams, index),
        let plain = unsafe self.copy(of: stream)
      else { continue }
      // The collection takes ownership of `plain`.
      unsafe gst_stream_collection_add_stream(copy, plain)
    }
    return unsafe copy
  }
}
