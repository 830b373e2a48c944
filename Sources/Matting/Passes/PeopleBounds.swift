import PixelTypes

/// Finds the regions of the people in a matte, including people who will not be shown.
final class PeopleBounds {
  /// The regions of the components in the last matte of which the network is certain.
  private(set) var apart: [PixelRegion] = []

  /// The minimum area of a component as a share of the largest one, and of the frame.
  private static let minShareOfLargest = 0.05, minShareOfFrame = 0.002

  private let format: FrameFormat
  private let grid: MatteGrid
  private let components: ConnectedComponents

  init(format: FrameFormat, grid: MatteGrid) {
    (self.format, self.grid) = (format, grid)
    apart.reserveCapacity(ConnectedComponents.maxCount)
    components = ConnectedComponents(width: grid.width, height: grid.height)
  }

  /// Returns the smallest region of the frame that contains the people, or nil without people.
  ///
  /// Returns the full frame for noise: a matte with too many components.
  func find(in matte: Raster<UInt8>) -> PixelRegion? {
    apart.removeAll(keepingCapacity: true)
    // With the lower threshold of `ComponentFilter`, faint samples would join people with furniture
    // in dark rooms: the IoU of `balanced` there is 0.968 instead of 0.973.
    guard components.find(atLeast: Matte.solid, in: matte) else {
      return PixelRegion(wholeOf: format)
    }
    let minArea = max(
      Self.minShareOfLargest * Double(components.largestArea()),
      Self.minShareOfFrame * Double(grid.width * grid.height))
    components.measure(matte)
    var certain: PixelRegion?, all: PixelRegion?
    for i in 0..<components.count where Double(components[i].area) >= minArea {
      let region = grid.region(of: components[i], in: format)
      all = all?.union(region) ?? region
      // Next to a certain person, an uncertain component such as a chair does not count.
      guard components[i].isCertain else { continue }
      certain = certain?.union(region) ?? region
      apart.append(region)
    }
    return certain ?? all
  }
}
