import Matting
import PixelTypes

/// The content that replaces the background, or the whole frame.
package enum BackgroundFill {
  /// One colour, in code values of the frame's colorimetry.
  case color(luma: UInt8, cb: UInt8, cr: UInt8)
  /// A picture of the frame's size.
  case plate(Plate)
  /// The real background, blurred.
  case blur(any RoomBlur)

  /// Returns an ARGB colour, without its alpha, in code values of `format`'s colorimetry.
  package static func color(_ argb: UInt32, in format: FrameFormat) -> Self {
    let code = format.colorimetry.codeValues(of: argb)
    return .color(luma: code.luma, cb: code.cb, cr: code.cr)
  }
}
