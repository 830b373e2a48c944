import PixelTypes

/// The part of a frame that the output shows, in shares of the frame's width and height.
///
/// It has the aspect ratio of the frame, so one size is enough.
public struct ShownRegion: Equatable, Sendable {
  /// The left and the upper edge, 0 to 1 - `size`.
  public var x: Double, y: Double
  /// The width and the height, above 0 and at most 1.
  public var size: Double

  /// The whole frame.
  public static let whole = ShownRegion(x: 0, y: 0, size: 1)

  /// Creates a region.
  public init(x: Double, y: Double, size: Double) {
    (self.x, self.y, self.size) = (x, y, size)
  }

  /// Returns the largest difference of the edges and the size.
  func distance(to other: ShownRegion) -> Double {
    max(abs(x - other.x), abs(y - other.y), abs(size - other.size))
  }

  /// Returns the region in the frame after the frame is turned.
  package func turned(by orientation: ImageOrientation) -> ShownRegion {
    let left = orientation.reversesColumns ? 1 - x - size : x
    let top = orientation.reversesRows ? 1 - y - size : y
    let turned = orientation.transposes ? (left: top, top: left) : (left: left, top: top)
    return ShownRegion(x: max(turned.left, 0), y: max(turned.top, 0), size: size)
  }
}
