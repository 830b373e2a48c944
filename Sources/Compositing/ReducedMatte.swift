import Matting
import PixelTypes
import Processor

/// Resamples mattes to a grid with one sample per `1 << shift` pixels of the frame.
final class ReducedMatte {
  /// The matte on that grid, from the last call of `reduce`.
  let samples: Raster<UInt8>

  private let reducer: BoxReducer
  /// Enlarges mattes on a coarser grid, which a blur with a small radius needs.
  private let enlarger: ScaledRows?

  /// Allocates memory for mattes on `grid` of frames of `format`.
  init(of grid: MatteGrid, _ format: FrameFormat, shift: Int) {
    let width = BoxReducer.reduced(format.width, shift: shift)
    let height = BoxReducer.reduced(format.height, shift: shift)
    let reduction = shift - Int(grid.step).trailingZeroBitCount
    samples = Raster(width: width, height: height, filledWith: 0)
    reducer = BoxReducer(width: grid.width, shift: max(reduction, 0))
    enlarger =
      reduction >= 0 ? nil : ScaledRows(enlargedBy: -reduction, width: width, height: height)
  }

  /// Resamples `matte` to that grid.
  func reduce(_ matte: Matte) {
    guard let enlarger else { return reducer.reduce(matte.samples.plane, into: samples) }
    enlarger.begin()
    for y in 0..<samples.height {
      let row = enlarger.between(y, of: matte.samples.plane)
      unsafe kernels.mixRows(row, samples.row(y), samples.width)
    }
  }
}

extension ScaledRows {
  /// Enlarges planes `1 << shift` times, to `width` samples or pairs per row and `height` rows.
  convenience init(enlargedBy shift: Int, width: Int, height: Int, ofPairs: Bool = false) {
    self.init(
      .enlarged(shift: shift, count: width, ofPairs: ofPairs),
      vertical: ScaleAxis(
        count: height, sourceCount: BoxReducer.reduced(height, shift: shift),
        scale: 1 / Double(1 << shift)))
  }
}
