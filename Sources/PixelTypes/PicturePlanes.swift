/// A picture of any of the formats, in memory that the caller owns.
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

  /// The planes of an NV12 picture.
  public init(luma: Plane, chroma: Plane) {
    format = .nv12
    planes = (luma, chroma, luma, luma)
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
