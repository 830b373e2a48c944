import CGStreamer

/// Detects data that cannot hold a picture.
///
/// Plain data are numbers, names, text and times. Structures, lists, arrays and caps are plain if
/// all their contents are plain. All other types are not plain. The functions are stateless and
/// thread-safe.
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
  static func containsOnlyPlainValues(
    _ structure: UnsafePointer<GstStructure>?, depth: Int = 0
  ) -> Bool {
    unsafe nonPlainFields(of: structure, depth: depth).isEmpty
  }

  /// Returns whether caps have only plain fields.
  ///
  /// Safety: `caps` must be valid during the call.
  static func containsOnlyPlainValues(
    _ caps: UnsafePointer<GstCaps>?, depth: Int = 0
  ) -> Bool {
    guard let caps = unsafe caps else { return true }
    return (0..<(unsafe gst_caps_get_size(caps))).allSatisfy { index in
      unsafe containsOnlyPlainValues(gst_caps_get_structure(caps, index), depth: depth)
    }
  }

  /// Returns whether a value is plain.
  ///
  /// `depth` is the number of structures and lists around the value. Tags, tables of contents and
  /// messages do not count as plain.
  private static func isPlain(_ value: UnsafePointer<GValue>?, depth: Int) -> Bool {
    guard let value = unsafe value else { return false }
    let type = unsafe value.pointee.g_type
    if isPlain(type) { return true }
    guard depth < maxDepth else { return false }
    switch type {
    case gst_value_list_get_type():
      return (0..<(unsafe gst_value_list_get_size(value))).allSatisfy { index in
        unsafe isPlain(gst_value_list_get_value(value, index), depth: depth + 1)
      }
    case gst_value_array_get_type():
      return (0..<(unsafe gst_value_array_get_size(value))).allSatisfy { index in
        unsafe isPlain(gst_value_array_get_value(value, index), depth: depth + 1)
      }
    case gst_structure_get_type():
      return unsafe containsOnlyPlainValues(gst_value_get_structure(value), depth: depth + 1)
    case gst_caps_get_type():
      return unsafe containsOnlyPlainValues(gst_value_get_caps(value), depth: depth + 1)
    default:
      return false
    }
  }

  /// Returns the names of the fields that are not plain.
  ///
  /// Safety: `structure` must be valid during the call.
  static func nonPlainFields(
    of structure: UnsafePointer<GstStructure>?, depth: Int = 0
  ) -> [String] {
    guard let structure = unsafe structure else { return [] }
    return (0..<(unsafe gst_structure_n_fields(structure))).compactMap { index in
      guard let name = unsafe gst_structure_nth_field_name(structure, guint(index)),
        let value = unsafe gst_structure_get_value(structure, name),
        unsafe !isPlain(value, depth: depth)
      else { return nil }
      return unsafe String(cString: name)
    }
  }

  /// Removes the fields that are not plain from a structure.
  ///
  /// Safety: `structure` must be valid during the call, and writable.
  static func removeNonPlainFields(of structure: UnsafeMutablePointer<GstStructure>?) {
    for name in unsafe nonPlainFields(of: structure) {
      unsafe gst_structure_remove_field(structure, name)
    }
  }
}
