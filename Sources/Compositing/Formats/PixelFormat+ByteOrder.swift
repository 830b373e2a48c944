import PixelTypes

extension PixelFormat {
  /// Where red, green, blue and alpha lie in a pixel; nil for other samples.
  var byteOrder: PixelByteOrder? {
    switch self {
    case .rgba: PixelByteOrder(red: 0, green: 1, blue: 2, alpha: 3)
    case .bgra: PixelByteOrder(red: 2, green: 1, blue: 0, alpha: 3)
    case .argb: PixelByteOrder(red: 1, green: 2, blue: 3, alpha: 0)
    case .abgr: PixelByteOrder(red: 3, green: 2, blue: 1, alpha: 0)
    case .nv12, .nv21, .i420, .p010, .a420, .ayuv, .gray8: nil
    }
  }
}
