import PixelTypes

/// Finds the part of the frame that the people of a matte are in, those that are not shown as well.
///
/// Allocates nothing after it is made; used on one thread at a time.
final class PeopleBounds {
  /// The regions of those that the network was sure of when it was last asked, each apart from the
  /// others.
  private(set) var apart: [PixelRegion] = []

  /// A part of this alpha or more is a person's.
  private static let threshold: UInt8 = 128
  /// What a network is sure of has samples of this alpha, and this mean: what it takes for a person
  /// half-heartedly, a chair for example, draws no attention beside someone it is sure of.
  private static let surePeak: UInt8 = 224, sureMean = 180
  /// A part of less than this share of the largest one, or of the frame, draws no attention: it may
  /// be a stain on the wall.
  private static let leastShareOfLargest = 0.05, leastShareOfFrame = 0.002

  private let format: FrameFormat
  private let grid: MatteGrid
  private let parts: ConnectedComponents

  /// Looks at mattes on `grid` over frames of `format`.
  init(format: FrameFormat, grid: MatteGrid) {
    self.format = format
    self.grid = grid
    apart.reserveCapacity(ConnectedComponents.maxCount)
    parts = ConnectedComponents(width: grid.width, height: grid.height)
  }

  /// The smallest region of the frame that holds the people; nil where there are none.
  ///
  /// A matte of more parts than people have is noise all over.
  func find(in matte: Raster<UInt8>) -> PixelRegion? {
    apart.removeAll(keepingCapacity: true)
    guard parts.find(atLeast: Self.threshold, in: matte) else {
      return PixelRegion(wholeOf: format)
    }
    var largest = 0
    for i in 0..<parts.count { largest = max(largest, parts[i].area) }
    let least = max(
      Self.leastShareOfLargest * Double(largest),
      Self.leastShareOfFrame * Double(grid.width * grid.height))
    parts.measure(matte)
    var sure: PixelRegion?, all: PixelRegion?
    for i in 0..<parts.count where Double(parts[i].area) >= least {
      let region = region(of: parts[i])
      all = all?.union(region) ?? region
      guard parts[i].peak >= Self.surePeak, parts[i].mean >= Self.sureMean else { continue }
      sure = sure?.union(region) ?? region
      apart.append(region)
    }
    return sure ?? all
  }

  private func region(of part: ConnectedComponents.Component) -> PixelRegion {
    let (x, y) = (Int(Double(part.left) * grid.stepX), Int(Double(part.top) * grid.stepY))
    return PixelRegion(
      x: x, y: y, width: min(Int(Double(part.right) * grid.stepX), format.width) - x,
      height: min(Int(Double(part.bottom) * grid.stepY), format.height) - y)
  }
}
