import CGStreamer
import GStreamerVideo
import GstElementSupport
import PixelTypes

/// A structure in caps with its features: one of the alternatives that the caps allow.
///
/// Safety: the pointers are borrowed from the caps, which must be alive while this value is used.
@safe struct CapsStructure {
  private let structure: UnsafeMutablePointer<GstStructure>
  private let features: OpaquePointer?

  /// Returns all structures in caps, in the order of the caps.
  static func all(in caps: UnsafeMutablePointer<GstCaps>) -> [CapsStructure] {
    (0..<(unsafe gst_caps_get_size(caps))).compactMap { index in
      guard let structure = unsafe gst_caps_get_structure(caps, index) else { return nil }
      return unsafe CapsStructure(
        structure: structure, features: gst_caps_get_features(caps, index))
    }
  }

  /// The formats in the structure that are known, or nil if it has no format field.
  ///
  /// Without a format field, all formats are allowed.
  var formats: [PixelFormat]? {
    guard let value = unsafe gst_structure_get_value(structure, "format") else { return nil }
    guard unsafe g_type_check_value_holds(value, gst_value_list_get_type()) != 0 else {
      return unsafe Self.format(in: value).map { [$0] } ?? []
    }
    return (0..<(unsafe gst_value_list_get_size(value))).compactMap { index in
      unsafe gst_value_list_get_value(value, index).flatMap { unsafe Self.format(in: $0) }
    }
  }

  /// Appends a copy of the structure to `caps`, with other formats.
  ///
  /// All formats must have the same colour fields. The copy keeps only the colour fields in
  /// `fields`. If `fields` is nil, it keeps the fields that the first format can have.
  func append(
    _ formats: [PixelFormat], keeping fields: [String]? = nil,
    to caps: UnsafeMutablePointer<GstCaps>?
  ) {
    guard let caps = unsafe caps, let copy = unsafe gst_structure_copy(structure),
      let fields = fields ?? formats.first?.colorFields
    else { return }
    // Buffers in caps are stream headers. They are removed even if they contain no picture.
    unsafe PlainData.removeNonPlainFields(of: copy)
    for field in ["colorimetry", "chroma-site"] where !fields.contains(field) {
      unsafe gst_structure_remove_field(copy, field)
    }
    var value = Self.value(formats)
    unsafe gst_structure_take_value(copy, "format", &value)
    // The caps take ownership of the copies.
    unsafe gst_caps_append_structure_full(
      caps, copy, features.map { unsafe gst_caps_features_copy($0) } ?? nil)
  }

  /// Sets the colorimetry of RGB frames that are converted from frames with the caps `input`.
  ///
  /// Does nothing if the structure already has a colorimetry.
  func setRGBColorimetry(from input: UnsafeMutablePointer<GstCaps>) {
    guard unsafe gst_structure_has_field(structure, "colorimetry") == 0 else { return }
    var info = unsafe GstVideoInfo()
    guard unsafe gst_video_info_from_caps(&info, input) != 0 else { return }
    var colorimetry = "sRGB"
    if unsafe info.colorimetry.primaries == GST_VIDEO_COLOR_PRIMARIES_BT2020 {
      // The conversion to RGB removes the matrix. It keeps the primaries and the transfer function.
      unsafe info.colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_RGB
      unsafe info.colorimetry.range = GST_VIDEO_COLOR_RANGE_0_255
      guard let text = unsafe gst_video_colorimetry_to_string(&info.colorimetry) else { return }
      colorimetry = unsafe String(cString: text)
      unsafe g_free(text)
    }
    var value = Self.value(colorimetry)
    unsafe gst_structure_take_value(structure, "colorimetry", &value)
  }

  /// Returns the value of the field `format`, which the caller owns.
  private static func value(_ formats: [PixelFormat]) -> GValue {
    if formats.count == 1 { return value(formats[0].name) }
    return unsafe StructureBuilder.value(gst_value_list_get_type()) { list in
      for format in formats {
        var name = value(format.name)
        unsafe gst_value_list_append_and_take_value(list, &name)
      }
    }
  }

  private static func format(in value: UnsafePointer<GValue>) -> PixelFormat? {
    guard unsafe g_type_check_value_holds(value, cgst_type_string()) != 0,
      let name = unsafe g_value_get_string(value)
    else { return nil }
    return unsafe PixelFormat(rawValue: String(cString: name))
  }

  /// Returns a string value, which the caller owns.
  private static func value(_ text: String) -> GValue {
    unsafe StructureBuilder.value(cgst_type_string()) { unsafe g_value_set_string($0, text) }
  }
}

extension PixelFormat {
  /// The fields that describe colours, and that this format takes from the caps of the input.
  ///
  /// RGB and gray have no `colorimetry`. `chroma-site` is the position of subsampled chroma.
  var colorFields: [String] {
    if sharesChroma { return ["colorimetry", "chroma-site"] }
    return colorModel == .yuv ? ["colorimetry"] : []
  }
}
