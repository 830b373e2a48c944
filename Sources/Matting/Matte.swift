import PixelTypes

/// The sampling grid of a matte over the frame.
package struct MatteGrid: Equatable {
  /// The number of samples per row, and of rows.
  package var width: Int, height: Int
  /// Distance between samples in pixels of the frame, in both directions.
  package let step: Double

  /// Creates a grid with one sample per block of `1 << shift` pixels in each direction.
  package init(format: FrameFormat, shift: Int) {
    width = BoxReducer.reduced(format.width, shift: shift)
    height = BoxReducer.reduced(format.height, shift: shift)
    step = Double(1 << shift)
  }

  /// Returns the columns that cover a part of the frame.
  package func columns(of region: PixelRegion) -> Range<Int> {
    sample(region.x, limit: width)..<sample(region.endX, limit: width)
  }

  /// Returns the rows that cover a part of the frame.
  func rows(of region: PixelRegion) -> Range<Int> {
    sample(region.y, limit: height)..<sample(region.endY, limit: height)
  }

  private func sample(_ pixel: Int, limit: Int) -> Int {
    min(max(Int((Double(pixel) / step).rounded()), 0), limit)
  }

  /// Returns the part of a frame of `format` that a component covers.
  func region(of component: ConnectedComponents.Component, in format: FrameFormat) -> PixelRegion {
    let (x, y) = (Int(Double(component.left) * step), Int(Double(component.top) * step))
    return PixelRegion(
      x: x, y: y, width: min(Int(Double(component.right) * step), format.width) - x,
      height: min(Int(Double(component.bottom) * step), format.height) - y)
  }
}

/// The alpha of a frame: 255 for the person, 0 for the background.
package struct Matte {
  /// The minimum alpha of a sample that counts as part of a person.
  package static let solid: UInt8 = 128
  /// The values of alpha that form an edge.
  static let edge: ClosedRange<UInt8> = 8...247

  /// The sampling grid over the frame.
  package let grid: MatteGrid
  /// The samples of the grid.
  package let samples: Raster<UInt8>

  package init(grid: MatteGrid) {
    self.grid = grid
    samples = Raster(width: grid.width, height: grid.height, filledWith: 0)
  }

  /// Returns whether the matte shows a person at a position in pixels of the frame.
  package func shows(column: Double, row: Double) -> Bool {
    let (x, y) = (column / grid.step, row / grid.step)
    // NaN also fails this test.
    guard x >= 0, x < Double(grid.width), y >= 0, y < Double(grid.height) else { return false }
    return unsafe samples.row(Int(y))[Int(x)] >= Self.solid
  }

  /// Share of the frame that the matte shows, 0 to 1.
  package var coverage: Double {
    let count = grid.width * grid.height
    var sum = 0
    for i in 0..<count { sum &+= unsafe Int(samples.base[i]) }
    return Double(sum) / Double(max(255 * count, 1))
  }
}
