/// A picture in any `PixelFormat`, in memory that the caller owns.
public struct PicturePlanes {
  /// The memory layout of the samples.
  public let format: PixelFormat
  // The first plane fills the unused entries.
  private let planes: (Plane, Plane, Plane, Plane)

  /// Creates a picture from planes in GStreamer's order, or returns nil if one is missing.
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

  /// The planes of an NV12 picture.
  public init(luma: Plane, chroma: Plane) {
    format = .nv12
    planes = (luma, chroma, luma, luma)
  }

  /// Returns a plane by its number, from 0 to `planeCount - 1` of the format.
  public subscript(_ number: Int) -> Plane {
    switch number {
    case 0: planes.0
    case 1: planes.1
    case 2: planes.2
    default: planes.3
    }
  }
}

/// A matte and its colours, with one sample of each per pixel.
///
/// Safety: the creator owns the memory, which must be valid for as long as this value is used.
@safe public struct MattePlanes {
  /// Alpha.
  public let alpha: UnsafePointer<UInt8>
  /// Luma.
  public let luma: UnsafePointer<UInt8>
  /// Blue difference.
  public let cb: UnsafePointer<UInt8>
  /// Red difference.
  public let cr: UnsafePointer<UInt8>

  /// Creates the planes of `refineRow`.
  ///
  /// Each pointer is the sample to which the values of `rows` are added.
  @unsafe public init(
    alpha: UnsafePointer<UInt8>, luma: UnsafePointer<UInt8>, cb: UnsafePointer<UInt8>,
    cr: UnsafePointer<UInt8>
  ) {
    unsafe self.alpha = alpha
    unsafe self.luma = luma
    unsafe self.cb = cb
    unsafe self.cr = cr
  }
}
