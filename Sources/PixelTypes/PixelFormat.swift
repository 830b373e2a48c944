/// How the samples of a picture lie in memory; named as GStreamer names it.
public enum PixelFormat: CaseIterable, Sendable {
  /// Luma, and interleaved Cb and Cr of half the size.
  case nv12
  /// Luma, and interleaved Cr and Cb of half the size.
  case nv21
  /// Luma, Cb and Cr, the latter two of half the size.
  case i420
  /// `nv12` in samples of 10 bits: the upper ones of little-endian words of 16.
  case p010
  /// `i420` and alpha of the full size.
  case a420
  /// Alpha, luma, Cb and Cr in turn.
  case ayuv
  /// Red, green, blue and alpha in turn.
  case rgba
  /// Blue, green, red and alpha in turn.
  case bgra
  /// Alpha, red, green and blue in turn.
  case argb
  /// Alpha, blue, green and red in turn.
  case abgr
  /// Luma alone, always of full range.
  case gray8

  /// Whether a pixel can be transparent.
  public var hasAlpha: Bool {
    switch self {
    case .nv12, .nv21, .i420, .p010, .gray8: false
    case .a420, .ayuv, .rgba, .bgra, .argb, .abgr: true
    }
  }

  /// How many planes a picture has.
  public var planeCount: Int {
    switch self {
    case .nv12, .nv21, .p010: 2
    case .i420: 3
    case .a420: 4
    case .ayuv, .rgba, .bgra, .argb, .abgr, .gray8: 1
    }
  }

  /// Whether a chroma sample stands for two by two pixels.
  public var sharesChroma: Bool {
    switch self {
    case .nv12, .nv21, .i420, .p010, .a420: true
    case .ayuv, .rgba, .bgra, .argb, .abgr, .gray8: false
    }
  }

  /// Whether a plane holds chroma of half the size.
  public func isChroma(plane: Int) -> Bool { plane == 1 || plane == 2 }

  /// Bytes of a row of a plane, and its rows, for a picture of so many pixels.
  public func planeSize(_ plane: Int, width: Int, height: Int) -> (width: Int, height: Int) {
    let (half, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    return switch self {
    case .nv12, .nv21: plane == 0 ? (width, height) : (2 * half, halfHeight)
    case .p010: plane == 0 ? (2 * width, height) : (4 * half, halfHeight)
    case .i420, .a420: isChroma(plane: plane) ? (half, halfHeight) : (width, height)
    case .ayuv, .rgba, .bgra, .argb, .abgr: (4 * width, height)
    case .gray8: (width, height)
    }
  }
}
