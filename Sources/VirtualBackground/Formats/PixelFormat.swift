import PixelTypes

/// How the samples of a picture lie in memory; named as GStreamer names it.
public enum PixelFormat: CaseIterable, Sendable {
  /// Luma, and interleaved Cb and Cr of half the size.
  case nv12
  /// Luma, and interleaved Cr and Cb of half the size.
  case nv21
  /// Luma, Cb and Cr, the latter two of half the size.
  case i420
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

  /// The most planes that a picture has.
  public static let mostPlanes = 4

  /// Whether a pixel can be transparent.
  public var hasAlpha: Bool {
    switch self {
    case .nv12, .nv21, .i420, .gray8: false
    case .a420, .ayuv, .rgba, .bgra, .argb, .abgr: true
    }
  }

  /// How many planes a picture has.
  public var planeCount: Int {
    switch self {
    case .nv12, .nv21: 2
    case .i420: 3
    case .a420: 4
    case .ayuv, .rgba, .bgra, .argb, .abgr, .gray8: 1
    }
  }

  /// Whether a plane holds chroma of half the size.
  public func isChroma(plane: Int) -> Bool { plane == 1 || plane == 2 }

  /// Bytes of a row of a plane, and its rows, for a picture of so many pixels.
  public func planeSize(_ plane: Int, width: Int, height: Int) -> (width: Int, height: Int) {
    let (half, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    return switch self {
    case .nv12, .nv21: plane == 0 ? (width, height) : (2 * half, halfHeight)
    case .i420, .a420: isChroma(plane: plane) ? (half, halfHeight) : (width, height)
    case .ayuv, .rgba, .bgra, .argb, .abgr: (4 * width, height)
    case .gray8: (width, height)
    }
  }

  /// Where red, green, blue and alpha lie in a pixel; nil for other samples.
  var byteOrder: PixelByteOrder? {
    switch self {
    case .rgba: PixelByteOrder(red: 0, green: 1, blue: 2, alpha: 3)
    case .bgra: PixelByteOrder(red: 2, green: 1, blue: 0, alpha: 3)
    case .argb: PixelByteOrder(red: 1, green: 2, blue: 3, alpha: 0)
    case .abgr: PixelByteOrder(red: 3, green: 2, blue: 1, alpha: 0)
    case .nv12, .nv21, .i420, .a420, .ayuv, .gray8: nil
    }
  }
}

/// A picture of any of the formats, in memory that somebody else owns.
public struct PicturePlanes {
  /// How the samples lie in the planes.
  public let format: PixelFormat
  // Beyond the last one, the first again.
  private let planes: (Plane, Plane, Plane, Plane)

  /// Takes the planes in the order in which GStreamer numbers them; nil when one is missing.
  public init?(format: PixelFormat, plane: (Int) -> Plane?) {
    guard let first = plane(0) else { return nil }
    var planes = (first, first, first, first)
    for number in 1..<max(format.planeCount, 1) {
      guard let next = plane(number) else { return nil }
      switch number {
      case 1: planes.1 = next
      case 2: planes.2 = next
      default: planes.3 = next
      }
    }
    self.format = format
    self.planes = planes
  }

  /// The planes of an NV12 frame.
  public init(_ frame: Frame) {
    format = .nv12
    planes = (frame.luma, frame.chroma, frame.luma, frame.luma)
  }

  /// A plane, numbered from 0 to the format's count of them.
  public subscript(_ number: Int) -> Plane {
    switch number {
    case 0: planes.0
    case 1: planes.1
    case 2: planes.2
    default: planes.3
    }
  }
}
