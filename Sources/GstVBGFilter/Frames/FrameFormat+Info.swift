import CGStreamer
import CVBGFilter
import GStreamerVideo
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
      sizes.contains(width), sizes.contains(height), unsafe info.isOnePicture
    else { return nil }
    self.init(
      width: width, height: height,
      colorimetry: unsafe Colorimetry(info.colorimetry, frameHeight: height))
  }
}
