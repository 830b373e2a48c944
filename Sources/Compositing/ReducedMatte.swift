import Matting
import PixelTypes

/// Resamples mattes to another grid, so that every sample contributes to the result.
final class ReducedMatte {
  /// The matte on that grid, from the last call of `reduce`.
  let samples: Raster<UInt8>

  private let reducer: BoxReducer
  private let blocks: Raster<UInt8>
  private let rows: ScaledRows

  /// Allocates memory for mattes on `grid`.
  ///
  /// The result has `width` by `height` samples, `step` pixels of the frame apart.
  init(of grid: MatteGrid, width: Int, height: Int, step: Double) {
    // Average over blocks as far as the step allows.
    var shift = 0
    while step / grid.step >= Double(2 << shift), shift < BoxReducer.maxShift { shift += 1 }
    let columns = BoxReducer.reduced(grid.width, shift: shift)
    let lines = BoxReducer.reduced(grid.height, shift: shift)
    let scale = step / grid.step / Double(1 << shift)
    reducer = BoxReducer(width: grid.width, shift: shift)
    blocks = Raster(width: columns, height: lines, filledWith: 0)
    rows = ScaledRows(
      .axis(ScaleAxis(count: width, sourceCount: columns, scale: scale)),
      vertical: ScaleAxis(count: height, sourceCount: lines, scale: scale))
    samples = Raster(width: width, height: height, filledWith: 0)
  }

  /// Resamples `matte` to that grid.
  func reduce(_ matte: Matte) {
    reducer.reduce(matte.samples.plane, into: blocks)
    rows.begin()
    for y in 0..<samples.height {
      unsafe samples.row(y).update(from: rows.row(y, of: blocks), count: samples.width)
    }
  }
}
