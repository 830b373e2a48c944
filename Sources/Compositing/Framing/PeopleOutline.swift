import Matting

/// The extent of the people in an upright frame, in shares of the frame's width and height.
package struct PeopleOutline {
  let left: Double, right: Double, top: Double, bottom: Double
  /// The end of the part that must be visible.
  ///
  /// It is `bottom`, unless the lower edge of the frame cuts the people. Then it is the row below
  /// which they get no wider: all heads and spread arms are above that row.
  let visibleBottom: Double

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
      let row = unsafe UnsafePointer(matte.samples.row(y))
      guard let columns = unsafe Self.solidColumns(of: row, width) else { continue }
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
      bottom: down * Double(bottom), visibleBottom: down * Double(isCut ? widest : bottom))
  }

  /// Whether the lower edge of the frame cuts the people.
  var isCut: Bool { visibleBottom < bottom }

  /// Returns the smallest outline that contains this one and `other`.
  func union(_ other: PeopleOutline) -> PeopleOutline {
    PeopleOutline(
      left: min(left, other.left), right: max(right, other.right), top: min(top, other.top),
      bottom: max(bottom, other.bottom), visibleBottom: max(visibleBottom, other.visibleBottom))
  }

  /// Returns whether this outline and `other` have an area in common.
  func overlaps(_ other: PeopleOutline) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  /// Returns the columns from the first to the last solid sample of a row.
  private static func solidColumns(
    of row: UnsafePointer<UInt8>, _ width: Int
  ) -> Range<Int>? {
    // Eight samples at once, because most samples belong to the room.
    func isEmpty(_ x: Int) -> Bool {
      unsafe UnsafeRawPointer(row).loadUnaligned(fromByteOffset: x, as: UInt64.self)
        & 0x8080_8080_8080_8080 == 0
    }
    var (first, end) = (0, width)
    while first + 8 <= width, isEmpty(first) { first += 8 }
    while first < width, unsafe row[first] < Matte.solid { first += 1 }
    if first == width { return nil }
    while end >= 8, isEmpty(end - 8) { end -= 8 }
    while unsafe row[end - 1] < Matte.solid { end -= 1 }
    return first..<end
  }
}
