import Matting
import PixelTypes

/// The mean colours of the last plate, on the cells of an `EdgeGrid`.
final class PlateMeans {
  private let reduced: ReducedFrame
  private let cells: CellMeans
  private var plate: Plate?

  init(format: FrameFormat, grid: EdgeGrid) {
    let first = min(grid.shift - 1, BoxReducer.maxShift)
    reduced = ReducedFrame(format: format, shift: first, bands: .single)
    cells = CellMeans(format: format, grid: grid, sourceShift: first)
  }

  /// Returns the means of `plate`, which are valid until the next call.
  func means(of plate: Plate) -> CellMeans {
    if self.plate !== plate { cells.find(in: reduced.reduce(plate.frame)) }
    self.plate = plate
    return cells
  }
}
