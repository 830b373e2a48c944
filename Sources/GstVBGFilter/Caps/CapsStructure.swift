import CGStreamer
import GStreamerVideo
import PixelTypes

/// One of the alternatives in caps: its formats, and the fields of colour that go with them.
///
/// Safety: borrowed from caps that the caller keeps for as long as this is used.
@safe struct CapsStructure {
  private let structure: UnsafeMutablePointer<GstStructure>
  private let features: OpaquePointer?

  /// All alternatives of caps, in their order.
  static func all(in caps: UnsafeMutablePointer<GstCaps>) -> [CapsStructure] {
    (0..<(unsafe gst_caps_get_size(caps))).compactMap { index in
      guard let structure = unsafe gst_caps_get_structure(caps, index) else { return nil }
      return unsafe CapsStructure(
        structure: structure, features: gst_caps_get_features(caps, index))
    }
  }

  /// The known formats, or nil if no format is named and so all are allowed.
  var formats: [PixelFormat]? {
    guard let value = unsafe gst_structure_get_value(structure, "format") else { return nil }
    guard unsafe g_type_check_value_holds(value, gst_value_list_get_type()) != 0 else {
      return unsafe Self.format(in: value).map { [$0] } ?? []
    }
    return (0..<(unsafe gst_value_list_get_size(value))).compactMap { index in
      unsafe gst_value_list_get_value(value, index).flatMap { unsafe Self.format(in: $0) }
    }
  }

  /// Adds a copy with other formats to caps, with only the colour fields in `fields`.
  ///
  /// By default it keeps the fields that the first format can have. All formats must have the same
  /// fields.
  func append(
    _ formats: [PixelFormat], keeping fields: PixelFormat.ColorFields? = nil,
    to caps: UnsafeMutablePointer<GstCaps>?
  ) {
    guard let caps = unsafe caps, let copy = unsafe gst_structure_copy(structure),
      let fields = fields ?? formats.first?.colorFields
    else { return }
    // Headers are removed, even without pictures.
    unsafe PlainData.removeOtherFields(of: copy)
    if !fields.contains(.colorimetry) { unsafe gst_structure_remove_field(copy, "colorimetry") }
    if !fields.contains(.chromaSite) { unsafe gst_structure_remove_field(copy, "chroma-site") }
    unsafe Self.write(formats, to: copy)
    // Takes over the copies.
    unsafe gst_caps_append_structure_full(
      caps, copy, features.map { unsafe gst_caps_features_copy($0) } ?? nil)
  }

  /// Sets the colorimetry of RGB made from frames of `input`, unless it is set already.
  func setRGBColorimetry(from input: UnsafeMutablePointer<GstCaps>) {
    guard unsafe gst_structure_has_field(structure, "colorimetry") == 0 else { return }
    var info = unsafe GstVideoInfo()
    guard unsafe gst_video_info_from_caps(&info, input) != 0 else { return }
    var colorimetry = "sRGB"
    if unsafe info.colorimetry.primaries == GST_VIDEO_COLOR_PRIMARIES_BT2020 {
      // The matrix is undone, the primaries and the transfer function are not.
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

  /// GObject's type of strings, since Swift cannot import its macro.
  private static var string: GType { unsafe g_type_from_name("gchararray") }
}

extension PixelFormat {
  /// The fields of caps that describe the chroma samples.
  struct ColorFields: OptionSet {
    let rawValue: Int
    /// The matrix and the range, which RGB and gray do not have.
    static let colorimetry = Self(rawValue: 1)
    /// The position of subsampled chroma.
    static let chromaSite = Self(rawValue: 2)
  }

  /// The fields that this format shares with the input.
  var colorFields: ColorFields {
    if sharesChroma { return [.colorimetry, .chromaSite] }
    return colorModel == .yuv ? .colorimetry : []
  }
}
