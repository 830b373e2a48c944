import PixelTypes

/// Finds the part of the frame that the people of a matte are in, those that are not shown as well.
///
/// Allocates nothing after it is made; used on one thread at a time.
final class PeopleBounds {
  /// The regions of those that the network was sure of when it was last asked, each apart from the
  /// others.
  private(set) var apart: [PixelRegion] = []
  /// Whether they were side by side then.
  private(set) var areSideBySide = false

  /// A part of this alpha or more is a person's.
  private static let threshold: UInt8 = 128
  /// What a network is sure of has samples of this alpha, and this mean: what it takes for a person
  /// half-heartedly, a chair for example, draws no attention beside someone it is sure of.
  private static let surePeak: UInt8 = 224, sureMean = 180
  /// A part of less than this share of the largest one, or of the frame, draws no attention: it may
  /// be a stain on the wall.
  private static let leastShareOfLargest = 0.05, leastShareOfFrame = 0.002
  /// People side by side are so much wider than tall, and in this share of their rows two of them are
  /// seen, each of so much of the whole width: one person's arms and legs are less.
  private static let leastAspect = 1.2, leastRowsOfTwo = 0.3, leastWidth = 0.1

  private let format: FrameFormat
  private let grid: MatteGrid
  private let parts: ConnectedRuns

  /// Looks at mattes on `grid` over frames of `format`.
  init(format: FrameFormat, grid: MatteGrid) {
    self.format = format
    self.grid = grid
    apart.reserveCapacity(ConnectedRuns.mostComponents)
    parts = ConnectedRuns(width: grid.width, height: grid.height)
  }

  /// The smallest region of the frame that holds the people; nil where there are none.
  ///
  /// A matte of more parts than people have is noise all over.
  func find(in matte: Raster<UInt8>) -> PixelRegion? {
    apart.removeAll(keepingCapacity: true)
    areSideBySide = false
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
      guard Self.isSure(parts[i]) else { continue }
      sure = sure?.union(region) ?? region
      apart.append(region)
    }
    areSideBySide = showsTwoSideBySide {
      Double($0.area) >= least && (sure == nil || Self.isSure($0))
    }
    return sure ?? all
  }

  private static func isSure(_ part: ConnectedRuns.Component) -> Bool {
    part.peak >= surePeak && part.mean >= sureMean
  }

  /// Whether the parts that are people, whether they touch or not, look like people side by side.
  ///
  /// These are wider than tall, and many rows show two of them, or more.
  private func showsTwoSideBySide(_ isPerson: (ConnectedRuns.Component) -> Bool) -> Bool {
    var left = grid.width, right = 0, top = grid.height, bottom = 0
    for i in 0..<parts.count where isPerson(parts[i]) {
      (left, right) = (min(left, parts[i].left), max(right, parts[i].right))
      (top, bottom) = (min(top, parts[i].top), max(bottom, parts[i].bottom))
    }
    guard left < right, top < bottom else { return false }
    let width = Double(right - left), height = Double(bottom - top)
    guard width * grid.stepX >= Self.leastAspect * height * grid.stepY else { return false }
    var rowsOfTwo = 0
    for y in top..<bottom {
      var people = 0
      for i in parts.runs(inRow: y)
      where Double(parts.run(i).count) >= Self.leastWidth * width
        && isPerson(parts[parts.component(of: i)])
      {
        people += 1
      }
      if people > 1 { rowsOfTwo += 1 }
    }
    return Double(rowsOfTwo) >= Self.leastRowsOfTwo * height
  }

  private func region(of part: ConnectedRuns.Component) -> PixelRegion {
    let (x, y) = (Int(Double(part.left) * grid.stepX), Int(Double(part.top) * grid.stepY))
    return PixelRegion(
      x: x, y: y, width: min(Int(Double(part.right) * grid.stepX), format.width) - x,
      height: min(Int(Double(part.bottom) * grid.stepY), format.height) - y)
  }
}
