/// The memory layout of a picture's samples.
///
/// The raw values are GStreamer's names. The cases are in the order of their conversion cost, the
/// cheapest first: `nv12` is the engine's own format.
public enum PixelFormat: String, CaseIterable, Sendable {
  /// Luma, and interleaved Cb and Cr of half the size.
  case nv12 = "NV12"
  /// Luma, and separate Cb and Cr of half the size.
  case i420 = "I420"
  /// Luma, and interleaved Cr and Cb of half the size.
  case nv21 = "NV21"
  /// `nv12` with 10-bit samples in the upper bits of 16-bit little-endian words.
  case p010 = "P010_10LE"
  /// `i420` and alpha of the full size.
  case a420 = "A420"
  /// Interleaved alpha, luma, Cb and Cr.
  case ayuv = "AYUV"
  /// Interleaved red, green, blue and alpha.
  case rgba = "RGBA"
  /// Interleaved blue, green, red and alpha.
  case bgra = "BGRA"
  /// Interleaved alpha, red, green and blue.
  case argb = "ARGB"
  /// Interleaved alpha, blue, green and red.
  case abgr = "ABGR"
  /// Luma alone, always of full range.
  case gray8 = "GRAY8"

  /// The components of a colour.
  public enum ColorModel: Sendable { case yuv, rgb, gray }

  /// The components of a colour.
  public var colorModel: ColorModel {
    switch self {
    case .nv12, .i420, .nv21, .p010, .a420, .ayuv: .yuv
    case .rgba, .bgra, .argb, .abgr: .rgb
    case .gray8: .gray
    }
  }

  /// Whether a pixel can be transparent.
  public var hasAlpha: Bool {
    switch self {
    case .nv12, .i420, .nv21, .p010, .gray8: false
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
  public var sharesChroma: Bool { colorModel == .yuv && planeCount > 1 }

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

/// The byte order of red, green, blue and alpha in a pixel of four bytes.
public struct PixelByteOrder: Equatable, Sendable {
  /// The bits by which each sample is shifted in a little-endian word.
  public let red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32

  /// Creates the order from the index of each sample's byte, 0 to 3.
  public init(red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32) {
    (self.red, self.green, self.blue, self.alpha) = (8 * red, 8 * green, 8 * blue, 8 * alpha)
  }
}
