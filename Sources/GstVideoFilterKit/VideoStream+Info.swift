import CGStreamer
import CVideoFilterKit
import PixelTypes

extension VideoStream {
  /// The stream of a negotiated format; nil when a buffer of it is not one picture of a known one.
  ///
  /// Safety: `info` is valid during the call.
  init?(_ pointer: UnsafePointer<GstVideoInfo>) {
    let info = unsafe pointer.pointee
    let (width, height) = unsafe (Int(info.width), Int(info.height))
    guard
      let format = unsafe VideoFrame.Format(vfk_video_info_format(pointer)),
      width > 0, height > 0, unsafe info.views <= 1,
      unsafe info.interlace_mode != GST_VIDEO_INTERLACE_MODE_FIELDS,
      unsafe info.interlace_mode != GST_VIDEO_INTERLACE_MODE_ALTERNATE
    else { return nil }
    let (rate, base) = unsafe (info.fps_n, info.fps_d)
    self.init(
      width: width, height: height, format: format,
      colorimetry: unsafe Colorimetry(info.colorimetry, frameHeight: height),
      framesPerSecond: rate > 0 && base > 0 ? Double(rate) / Double(base) : nil)
  }
}

extension VideoFrame.Format {
  /// A format of GStreamer's; nil for one that filters do not work on.
  init?(_ format: GstVideoFormat) {
    switch format {
    case GST_VIDEO_FORMAT_NV12: self = .nv12
    case GST_VIDEO_FORMAT_I420: self = .i420
    case GST_VIDEO_FORMAT_RGBA: self = .rgba
    default: return nil
    }
  }

  /// Planes of a frame.
  var planeCount: Int {
    switch self {
    case .nv12: 2
    case .i420: 3
    case .rgba: 1
    }
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
