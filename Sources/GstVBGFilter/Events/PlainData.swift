import CGStreamer

/// Detects data that cannot hold a picture.
///
/// Plain data are numbers, names, text and times. Structures, lists, arrays, caps, tag lists,
/// tables of contents and messages are plain if all their contents are plain. All other types are
/// not plain. The functions are stateless and thread-safe.
enum PlainData {
  /// The maximum depth of nested structures and lists.
  ///
  /// Containers below this depth count as not plain.
  private static let maxDepth = 16

  /// The fundamental types with plain values: all types derived from them are plain too.
  private static let plainFundamentalTypes: Set<GType> = {
    let names = [
      "gboolean", "gchar", "guchar", "gint", "guint", "glong", "gulong", "gint64", "guint64",
      "GEnum", "GFlags", "gfloat", "gdouble", "gchararray",
    ]
    return Set(names.map { unsafe g_type_from_name($0) } + [gst_flagset_get_type()])
  }()

  /// The types with plain values that are not derived from `plainFundamentalTypes`.
  private static let plainTypes: Set<GType> = [
    gst_fraction_get_type(), gst_fraction_range_get_type(), gst_int_range_get_type(),
    gst_int64_range_get_type(), gst_double_range_get_type(), gst_bitmask_get_type(),
    gst_date_time_get_type(), gst_segment_get_type(), gst_caps_features_get_type(),
    g_date_get_type(), g_date_time_get_type(), g_error_get_type(), g_gtype_get_type(),
  ]

  /// Returns whether every value of a type is plain.
  ///
  /// Returns false for containers, because their contents decide.
  static func isPlain(_ type: GType) -> Bool {
    plainFundamentalTypes.contains(g_type_fundamental(type)) || plainTypes.contains(type)
  }

  /// Returns whether a structure has only plain fields.
  ///
  /// Safety: `structure` must be valid during the call.
  static func containsOnlyPlainValues(_ structure: UnsafePointer<GstStructure>, depth: Int = 0)
    -> Bool
  {
    (0..<(unsafe gst_structure_n_fields(structure))).allSatisfy { index in
      guard let name = unsafe gst_structure_nth_field_name(structure, guint(index)),
        let value = unsafe gst_structure_get_value(structure, name)
      else { return false }
      return unsafe isPlain(value, depth: depth)
    }
  }

  /// Returns whether caps have only plain fields.
  ///
  /// Safety: `caps` must be valid during the call.
  static func containsOnlyPlainValues(_ caps: UnsafeMutablePointer<GstCaps>, depth: Int = 0) -> Bool
  {
    (0..<(unsafe gst_caps_get_size(caps))).allSatisfy { index in
      guard let structure = unsafe gst_caps_get_structure(caps, index) else { return false }
      return unsafe containsOnlyPlainValues(structure, depth: depth)
    }
  }

  /// Returns whether a value is plain.
  ///
  /// `depth` is the number of structures and lists around the value.
  ///
  /// Safety: `value` must be valid during the call.
  static func isPlain(_ value: UnsafePointer<GValue>, depth: Int = 0) -> Bool {
    let type = unsafe value.pointee.g_type
    if isPlain(type) { return true }
    guard depth < maxDepth else { return false }
    switch type {
    case gst_value_list_get_type():
      return (0..<(unsafe gst_value_list_get_size(value))).allSatisfy { index in
        unsafe gst_value_list_get_value(value, index).map { unsafe isPlain($0, depth: depth + 1) }
          ?? false
      }
    case gst_value_array_get_type():
      return (0..<(unsafe gst_value_array_get_size(value))).allSatisfy { index in
        unsafe gst_value_array_get_value(value, index).map { unsafe isPlain($0, depth: depth + 1) }
          ?? false
      }
    case gst_structure_get_type():
      guard let structure = unsafe g_value_get_boxed(value) else { return true }
      return unsafe containsOnlyPlainValues(
        UnsafePointer(structure.assumingMemoryBound(to: GstStructure.self)), depth: depth + 1)
    case gst_caps_get_type():
      guard let caps = unsafe g_value_get_boxed(value) else { return true }
      return unsafe containsOnlyPlainValues(
        caps.assumingMemoryBound(to: GstCaps.self), depth: depth + 1)
    case gst_tag_list_get_type():
      guard let tags = unsafe g_value_get_boxed(value) else { return true }
      return unsafe hasOnlyPlainTags(tags.assumingMemoryBound(to: GstTagList.self))
    case gst_toc_get_type():
      guard let contents = unsafe g_value_get_boxed(value).map({ OpaquePointer($0) }) else {
        return true
      }
      return unsafe gst_toc_get_tags(contents).map { unsafe hasOnlyPlainTags($0) } ?? true
        && hasOnlyPlainTags(entries: gst_toc_get_entries(contents))
    case gst_message_get_type():
      guard let message = unsafe g_value_get_boxed(value) else { return true }
      let fields = unsafe gst_message_get_structure(
        message.assumingMemoryBound(to: GstMessage.self))
      return unsafe fields.map { unsafe containsOnlyPlainValues($0, depth: depth + 1) } ?? true
    default:
      return false
    }
  }

  /// Returns whether a tag list has only plain tags.
  private static func hasOnlyPlainTags(_ tags: UnsafePointer<GstTagList>) -> Bool {
    (0..<(unsafe gst_tag_list_n_tags(tags))).allSatisfy { index in
      unsafe gst_tag_list_nth_tag_name(tags, guint(index)).map {
        isPlain(unsafe gst_tag_get_type($0))
      } ?? false
    }
  }

  /// Returns whether the entries of a table of contents have only plain tags.
  private static func hasOnlyPlainTags(entries list: UnsafeMutablePointer<GList>?) -> Bool {
    var next = unsafe list
    while let item = unsafe next {
      unsafe next = item.pointee.next
      guard let entry = unsafe item.pointee.data.map({ OpaquePointer($0) }) else { continue }
      if let tags = unsafe gst_toc_entry_get_tags(entry), unsafe !hasOnlyPlainTags(tags) {
        return false
      }
      if unsafe !hasOnlyPlainTags(entries: gst_toc_entry_get_sub_entries(entry)) { return false }
    }
    return true
  }

  /// Returns the names of the fields that are not plain.
  ///
  /// Safety: `structure` must be valid during the call.
  static func nonPlainFields(of structure: UnsafePointer<GstStructure>) -> [String] {
    (0..<(unsafe gst_structure_n_fields(structure))).compactMap { index in
      guard let name = unsafe gst_structure_nth_field_name(structure, guint(index)),
        let value = unsafe gst_structure_get_value(structure, name), unsafe !isPlain(value)
      else { return nil }
      return unsafe String(cString: name)
    }
  }

  /// Removes the fields that are not plain from a structure.
  ///
  /// Safety: `structure` must be valid during the call, and writable.
  static func removeNonPlainFields(of structure: UnsafeMutablePointer<GstStructure>) {
    for name in unsafe nonPlainFields(of: structure) {
      unsafe gst_structure_remove_field(structure, name)
    }
  }
}
