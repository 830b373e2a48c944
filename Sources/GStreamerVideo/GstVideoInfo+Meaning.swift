import CGStreamer
import PixelTypes

extension GstVideoInfo {
  /// Whether a buffer holds one picture, not several views or separate fields.
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
  /// The colorimetry of a stream; where it is unknown, the one that GStreamer assumes for the size.
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
