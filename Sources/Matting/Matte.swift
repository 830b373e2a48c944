import PixelTypes

/// How the samples of a matte lie over the frame.
package struct MatteGrid: Equatable {
  /// Samples in a row, and rows.
  package var width: Int, height: Int
  /// Pixels of the frame from one sample to the next.
  package var stepX: Double, stepY: Double

  /// A sample for each block of `1 << shift` pixels of a frame.
  package init(format: FrameFormat, shift: Int) {
    width = BoxReducer.reduced(format.width, shift: shift)
    height = BoxReducer.reduced(format.height, shift: shift)
    stepX = Double(1 << shift)
    stepY = Double(1 << shift)
  }

  /// `width` by `height` samples stretched over a frame.
  package init(format: FrameFormat, width: Int, height: Int) {
    self.width = width
    self.height = height
    stepX = Double(format.width) / Double(width)
    stepY = Double(format.height) / Double(height)
  }

  /// The columns that show a part of the frame.
  package func columns(of region: PixelRegion) -> Range<Int> {
    func column(_ x: Int) -> Int { min(max(Int((Double(x) / stepX).rounded()), 0), width) }
    return column(region.x)..<column(region.endX)
  }

  /// How to read a matte on this grid at `count` positions in a row and in `rows` rows, all of them
  /// `step` pixels of the frame apart.
  package func axes(count: Int, rows: Int, step: Double) -> ScaleAxes {
    ScaleAxes(
      horizontal: ScaleAxis(
        count: count, sourceCount: width, scale: step / stepX),
      vertical: ScaleAxis(count: rows, sourceCount: height, scale: step / stepY))
  }
}

/// Where the person is: 255 for the person, 0 for the room.
package struct Matte {
  /// Alpha from which on a sample counts as a person's.
  package static let solid: UInt8 = 128

  /// How the samples lie over the frame.
  package let grid: MatteGrid
  /// The samples, as many as the grid has.
  package let samples: Raster<UInt8>

  /// Makes an empty matte: all room.
  package init(grid: MatteGrid) {
    self.grid = grid
    samples = Raster(width: grid.width, height: grid.height, filledWith: 0)
  }
}

extension Matte {
  /// Whether somebody is shown at a place, in pixels of the frame.
  package func shows(column: Double, row: Double) -> Bool {
    let (x, y) = (column / grid.stepX, row / grid.stepY)
    // Also false for what is no number.
    guard x >= 0, x < Double(grid.width), y >= 0, y < Double(grid.height) else { return false }
    return unsafe samples.row(Int(y))[Int(x)] >= Self.solid
  }

  /// Share of the frame that it covers, 0 to 1.
  package var coverage: Double {
    let count = grid.width * grid.height
    var sum = 0
    for i in 0..<count { sum &+= unsafe Int(samples.base[i]) }
    return Double(sum) / Double(max(255 * count, 1))
  }
}
