/// A part of a frame or picture: a rectangle of whole pixels.
public struct PixelRegion: Equatable, Sendable {
  /// The first column and the first row.
  public var x: Int, y: Int
  /// The number of columns and of rows, at least 1.
  public var width: Int, height: Int

  /// Creates a region.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// The column after the last.
  public var endX: Int { x + width }
  /// The row after the last.
  public var endY: Int { y + height }
  /// The number of pixels.
  public var area: Int { width * height }

  /// Returns the smallest region that contains this region and `other`.
  public func union(_ other: PixelRegion) -> PixelRegion {
    let (left, top) = (min(x, other.x), min(y, other.y))
    return PixelRegion(
      x: left, y: top, width: max(endX, other.endX) - left, height: max(endY, other.endY) - top)
  }

  /// Returns whether this region and `other` have a pixel in common.
  public func overlaps(_ other: PixelRegion) -> Bool {
    x < other.endX && other.x < endX && y < other.endY && other.y < endY
  }
}
