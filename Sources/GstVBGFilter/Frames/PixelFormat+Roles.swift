import PixelTypes

extension PixelFormat {
  /// Whether frames may come in it.
  var isInput: Bool { self == .nv12 || self == .i420 || self == .nv21 || self == .p010 }

  /// Whether its samples are red, green and blue.
  var isRGB: Bool { self == .rgba || self == .bgra || self == .argb || self == .abgr }
}
