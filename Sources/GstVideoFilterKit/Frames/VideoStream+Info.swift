import CGStreamer
import GStreamerVideo
import PixelTypes

extension VideoStream {
  /// Creates the stream for a negotiated format.
  ///
  /// Returns nil if its buffers do not contain one whole picture of a supported format.
  ///
  /// Safety: `pointer` must be valid during the call.
  init?(_ pointer: UnsafePointer<GstVideoInfo>) {
    let info = unsafe pointer.pointee
    let (width, height) = unsafe (Int(info.width), Int(info.height))
    guard
      case let samples = unsafe PixelFormat(vbgfilter_video_info_format(pointer)),
      let format = VideoFormat.allCases.first(where: { $0.samples == samples }),
      width > 0, height > 0, unsafe info.isOnePicture
    else { return nil }
    let (rate, base) = unsafe (info.fps_n, info.fps_d)
    self.init(
      width: width, height: height, format: format,
      colorimetry: unsafe Colorimetry(info.colorimetry, frameHeight: height),
      framesPerSecond: rate > 0 && base > 0 ? Double(rate) / Double(base) : nil)
  }
}

extension VideoFormat {
  /// The corresponding `PixelFormat`.
  var samples: PixelFormat {
    switch self {
    case .nv12: .nv12
    case .i420: .i420
    case .rgba: .rgba
    }
  }
}
