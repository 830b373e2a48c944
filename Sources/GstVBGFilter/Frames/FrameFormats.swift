import CGStreamer
import GStreamerVideo
import PixelTypes

extension FrameFormat {
  /// The columns and rows of supported frames.
  static let sizes = 16...8192

  /// The format of a negotiated stream, or nil if a buffer of it holds more than one NV12 picture.
  ///
  /// Safety: `info` is valid during the call.
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
  /// Whether frames may come in it.
  var isInput: Bool { self == .nv12 || self == .i420 || self == .nv21 || self == .p010 }

  /// Whether its samples are red, green and blue.
  var isRGB: Bool { self == .rgba || self == .bgra || self == .argb || self == .abgr }
}
