import CGStreamer
import CVBGFilter
import PixelTypes
import VirtualBackground

extension FrameFormat {
  /// The format of a negotiated stream; nil when a buffer of it holds more than one NV12 picture.
  ///
  /// Safety: `info` is valid during the call.
  init?(_ info: UnsafePointer<GstVideoInfo>) {
    let info = unsafe info.pointee
    let (width, height) = unsafe (Int(info.width), Int(info.height))
    let sizes = Int(VBG_MINIMUM_SIZE)...Int(VBG_MAXIMUM_SIZE)
    guard
      sizes.contains(width), sizes.contains(height), unsafe info.views <= 1,
      unsafe info.interlace_mode != GST_VIDEO_INTERLACE_MODE_FIELDS,
      unsafe info.interlace_mode != GST_VIDEO_INTERLACE_MODE_ALTERNATE
    else { return nil }
    self.init(
      width: width, height: height,
      colorimetry: unsafe Colorimetry(info.colorimetry, frameHeight: height))
  }
}

extension Colorimetry {
  /// The colours of a stream; where it does not tell, those that GStreamer assumes for the size.
  init(_ colorimetry: GstVideoColorimetry, frameHeight: Int) {
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
