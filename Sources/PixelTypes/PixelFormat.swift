/// The memory layout of a picture's samples, with GStreamer's names.
public enum PixelFormat: CaseIterable, Sendable {
  /// Luma, and interleaved Cb and Cr of half the size.
  case nv12
  /// Luma, and interleaved Cr and Cb of half the size.
  case nv21
  /// Luma, Cb and Cr, the latter two of half the size.
  case i420
  /// `nv12` with 10-bit samples in the upper bits of 16-bit little-endian words.
  case p010
  /// `i420` and alpha of the full size.
  case a420
  /// Interleaved alpha, luma, Cb and Cr.
  case ayuv
  /// Interleaved red, green, blue and alpha.
  case rgba
  /// Interleaved blue, green, red and alpha.
  case bgra
  /// Interleaved alpha, red, green and blue.
  case argb
  /// Interleaved alpha, blue, green and red.
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

  /// The number of planes.
  public var planeCount: Int {
    switch self {
    case .nv12, .nv21, .p010: 2
    case .i420: 3
    case .a420: 4
    case .ayuv, .rgba, .bgra, .argb, .abgr, .gray8: 1
    }
  }

  /// Whether two by two pixels share a chroma sample.
  public var sharesChroma: Bool {
    switch self {
    case .nv12, .nv21, .i420, .p010, .a420: true
    case .ayuv, .rgba, .bgra, .argb, .abgr, .gray8: false
    }
  }

  /// Whether a plane contains chroma of half the size.
  public func isChroma(plane: Int) -> Bool { plane == 1 || plane == 2 }

  /// Returns the bytes per row and the rows of a plane, for a picture of `width` by `height`
  /// pixels.
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
