import Matting
import PixelTypes

/// The extent of the people in an upright frame, in shares of the frame's width and height.
package struct PeopleOutline {
  let left: Double, right: Double, top: Double, bottom: Double
  /// The end of the part that must be visible.
  ///
  /// It is `bottom`, unless the lower edge of the frame cuts the people. Then it is the row below
  /// which they get no wider: all heads and spread arms are above that row.
  let visibleBottom: Double
  /// Whether the lower edge of the frame cuts the people.
  let isCut: Bool

  /// The share of the width by which the people may get wider below `visibleBottom`.
  ///
  /// Sleeves widen a little down to the edge of the frame, and so would always be visible.
  private static let tolerance = 0.05
  /// The distance from the lower edge of the frame at which people count as cut.
  private static let edge = 0.03
}

extension PeopleOutline {
  /// Finds the outline of the people in an upright matte, or returns nil without people.
  package init?(of matte: Matte) {
    let (width, height) = (matte.grid.width, matte.grid.height)
    let tolerance = Int(Self.tolerance * Double(width))
    var (left, right, top, bottom, widest) = (width, 0, -1, 0, 0)
    // The columns at the last row where the people got noticeably wider.
    var noted = width..<width
    for y in 0..<height {
      // Samples of at least `Matte.solid` have the highest bit.
      let columns = unsafe UnsafePointer(matte.samples.row(y)).samples(
        withAnyOf: Matte.solid, count: width)
      if columns.isEmpty { continue }
      if top < 0 { (top, noted) = (y, columns) }
      (left, right, bottom) = (
        min(left, columns.lowerBound), max(right, columns.upperBound), y + 1
      )
      if left < noted.lowerBound - tolerance || right > noted.upperBound + tolerance {
        (noted, widest) = (left..<right, y + 1)
      }
    }
    guard top >= 0 else { return nil }
    let isCut = Double(bottom) > (1 - Self.edge) * Double(height)
    let (across, down) = (1 / Double(width), 1 / Double(height))
    self.init(
      left: across * Double(left), right: across * Double(right), top: down * Double(top),
      bottom: down * Double(bottom), visibleBottom: down * Double(isCut ? widest : bottom),
      isCut: isCut)
  }

  /// Returns the smallest outline that contains this one and `other`.
  func union(_ other: PeopleOutline) -> PeopleOutline {
    PeopleOutline(
      left: min(left, other.left), right: max(right, other.right), top: min(top, other.top),
      bottom: max(bottom, other.bottom), visibleBottom: max(visibleBottom, other.visibleBottom),
      isCut: isCut || other.isCut)
  }

  /// Interpolates between this outline (0) and `other` (1).
  ///
  /// Cut people remain cut until they are clearly above the edge.
  func moved(_ share: Double, to other: PeopleOutline) -> PeopleOutline {
    func mix(_ a: Double, _ b: Double) -> Double { a + share * (b - a) }
    return PeopleOutline(
      left: mix(left, other.left), right: mix(right, other.right), top: mix(top, other.top),
      bottom: mix(bottom, other.bottom),
      visibleBottom: mix(visibleBottom, other.visibleBottom),
      isCut: other.isCut || isCut && other.bottom > 1 - 2 * Self.edge)
  }

  /// Returns the share of the part that must be visible that a region contains.
  func visibleShare(in region: ShownRegion) -> Double {
    let (endX, endY) = (region.x + region.size, region.y + region.size)
    let (across, down) = (
      min(right, endX) - max(left, region.x), min(visibleBottom, endY) - max(top, region.y)
    )
    return max(across, 0) * max(down, 0) / ((right - left) * (visibleBottom - top))
  }
}
