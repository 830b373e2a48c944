import CGStreamer
import GStreamerVideo
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
    _ formats: [PixelFormat], keeping fields: PixelFormat.ColorFields? = nil,
    to caps: UnsafeMutablePointer<GstCaps>?
  ) {
    guard let caps = unsafe caps, let copy = unsafe gst_structure_copy(structure),
      let fields = fields ?? formats.first?.colorFields
    else { return }
    // Buffers in caps are stream headers. They are removed even if they contain no picture.
    unsafe PlainData.removeNonPlainFields(of: copy)
    if !fields.contains(.colorimetry) { unsafe gst_structure_remove_field(copy, "colorimetry") }
    if !fields.contains(.chromaSite) { unsafe gst_structure_remove_field(copy, "chroma-site") }
    unsafe Self.write(formats, to: copy)
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
    var value = GValue()
    Self.set(&value, to: colorimetry)
    unsafe gst_structure_take_value(structure, "colorimetry", &value)
  }

  private static func write(
    _ formats: [PixelFormat], to structure: UnsafeMutablePointer<GstStructure>
  ) {
    var value = GValue()
    if let format = formats.first, formats.count == 1 {
      set(&value, to: format.name)
    } else {
      _ = unsafe g_value_init(&value, gst_value_list_get_type())
      for format in formats {
        var name = GValue()
        set(&name, to: format.name)
        unsafe gst_value_list_append_and_take_value(&value, &name)
      }
    }
    unsafe gst_structure_take_value(structure, "format", &value)
  }

  private static func format(in value: UnsafePointer<GValue>) -> PixelFormat? {
    guard unsafe g_type_check_value_holds(value, string) != 0,
      let name = unsafe g_value_get_string(value)
    else { return nil }
    return unsafe PixelFormat(rawValue: String(cString: name))
  }

  private static func set(_ value: inout GValue, to text: String) {
    _ = unsafe g_value_init(&value, string)
    unsafe g_value_set_string(&value, text)
  }

  /// `G_TYPE_STRING`, a macro that Swift cannot import.
  private static var string: GType { unsafe g_type_from_name("gchararray") }
}

extension PixelFormat {
  /// The fields of caps that describe colours.
  struct ColorFields: OptionSet {
    let rawValue: Int
    /// The field `colorimetry`, which is omitted for RGB and gray.
    static let colorimetry = Self(rawValue: 1)
    /// The field `chroma-site`, the position of subsampled chroma.
    static let chromaSite = Self(rawValue: 2)
  }

  /// The colour fields that this format takes from the caps of the input.
  var colorFields: ColorFields {
    if sharesChroma { return [.colorimetry, .chromaSite] }
    return colorModel == .yuv ? .colorimetry : []
  }
}
