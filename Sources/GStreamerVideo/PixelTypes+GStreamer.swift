import CGStreamer
import PixelTypes

extension GstVideoInfo {
  /// Whether a buffer contains a single picture, not several views or separate fields.
  package var isOnePicture: Bool {
    unsafe views <= 1 && interlace_mode != GST_VIDEO_INTERLACE_MODE_FIELDS
      && interlace_mode != GST_VIDEO_INTERLACE_MODE_ALTERNATE
  }

  /// The pixel aspect ratio, width divided by height, or 1 if the caps have no valid ratio.
  package var pixelAspect: Double {
    unsafe par_n > 0 && par_d > 0 ? Double(par_n) / Double(par_d) : 1
  }
}

extension Colorimetry {
  /// Creates the colorimetry of a stream.
  ///
  /// If the stream does not specify it, the colorimetry is GStreamer's default for the size.
  package init(_ colorimetry: GstVideoColorimetry, frameHeight: Int) {
    let matrix: Matrix =
      switch colorimetry.matrix {
      case GST_VIDEO_COLOR_MATRIX_BT601, GST_VIDEO_COLOR_MATRIX_FCC: .bt601
      case GST_VIDEO_COLOR_MATRIX_BT709, GST_VIDEO_COLOR_MATRIX_SMPTE240M: .bt709
      case GST_VIDEO_COLOR_MATRIX_BT2020: .bt2020
      default: frameHeight > 576 ? .bt709 : .bt601
      }
    self.init(
      matrix: matrix,
      range: colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255 ? .full : .limited)
  }
}

extension PixelFormat {
  /// Creates the equivalent of a GStreamer format, or nil if there is no equivalent.
  package init?(_ format: GstVideoFormat) {
    unsafe self.init(rawValue: String(cString: gst_video_format_to_string(format)))
  }

  /// The name in caps.
  package var name: String { rawValue }
}

extension ImageOrientation {
  /// Reads the tag `image-orientation`, or returns nil if it is missing or unknown.
  ///
  /// Safety: `tags` must be valid during the call.
  package init?(tags: UnsafePointer<GstTagList>) {
    var word: UnsafeMutablePointer<gchar>?
    guard unsafe gst_tag_list_get_string(tags, GST_TAG_IMAGE_ORIENTATION, &word) != 0,
      let word = unsafe word
    else { return nil }
    defer { unsafe g_free(word) }
    unsafe self.init(tag: String(cString: word))
  }
}
