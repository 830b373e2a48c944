import Matting
import PixelTypes

/// The mean colours of the cells of an `EdgeGrid`.
final class CellMeans {
  /// The mean luma: one sample per cell.
  let luma: Raster<UInt8>
  /// The mean chroma: one pair of Cb and Cr per cell.
  let chroma: Raster<UInt8>

  private let lumaReducer: BoxReducer, chromaReducer: BoxReducer

  /// Allocates memory for the cells of frames that are reduced by `1 << sourceShift`.
  init(format: FrameFormat, grid: EdgeGrid, sourceShift: Int) {
    luma = Raster(width: grid.width, height: grid.height, filledWith: 0)
    chroma = Raster(width: 2 * grid.width, height: grid.height, filledWith: 128)
    lumaReducer = BoxReducer(
      width: BoxReducer.reduced(format.width, shift: sourceShift),
      shift: grid.shift - sourceShift)
    // Chroma has half the frame's size.
    chromaReducer = BoxReducer(
      width: 2 * BoxReducer.reduced(format.chromaWidth, shift: sourceShift),
      shift: grid.shift - 1 - sourceShift)
  }

  /// Computes the means of a reduced frame.
  func find(in reduced: Frame) {
    lumaReducer.reduce(reduced.luma, into: luma)
    chromaReducer.reduce(reduced.chroma, ofPairs: true, into: chroma)
  }
}

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
