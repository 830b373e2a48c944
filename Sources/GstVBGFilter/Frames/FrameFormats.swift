import CGStreamer
import GStreamerVideo
import PixelTypes

extension FrameFormat {
  /// The supported widths and heights of frames, in pixels.
  static let sizes = 16...8192

  /// The format of a negotiated stream, or nil if the stream is not supported.
  ///
  /// A stream is not supported if its size is not in `sizes`, or if its buffers do not contain one
  /// whole picture.
  ///
  /// Safety: `info` must be valid during the call.
  init?(_ info: UnsafePointer<GstVideoInfo>) {
    let info = unsafe info.pointee
    let (width, height) = unsafe (Int(info.width), Int(info.height))
    guard
      Self.sizes.contains(width), Self.sizes.contains(height), unsafe info.isOnePicture
    else { return nil }
    self.init(
      width: width, height: height,
      colorimetry: unsafe Colorimetry(info.colorimetry, frameHeight: height),
      pixelAspect: unsafe info.pixelAspect)
  }
}

extension PixelFormat {
  /// Whether the sink pad accepts this format.
  var isInput: Bool { self == .nv12 || self == .i420 || self == .nv21 || self == .p010 }
}
