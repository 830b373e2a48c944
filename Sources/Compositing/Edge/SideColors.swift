import Matting
import PixelTypes
import Processor

/// The colours of one side of the edge, person or background, extrapolated over the whole frame.
///
/// A normalised convolution (Knutsson and Westin 1993): samples are weighted by their certainty of
/// belonging to the side. A cell's own samples have the largest weight. If the cell has few, the
/// surrounding cells dominate.
final class SideColors {
  /// The side's luma: one sample per cell.
  let luma: Raster<UInt8>
  /// The side's chroma: one pair of Cb and Cr per cell.
  let chroma: Raster<UInt8>

  /// The sigma of the Gaussian that spreads colours to surrounding cells, in cells.
  private static let reach = 1.0
  /// The weight of the surrounding cells.
  private static let shareOfSurroundings: Float = 0.2

  private let gaussian: SeparableGaussian, pairGaussian: SeparableGaussian
  private let weightOfAlpha: Raster<Float>
  private let weights: Raster<Float>, spreadWeights: Raster<Float>
  private let sums: Raster<Float>, spread: Raster<Float>
  private let pairSums: Raster<Float>, spreadPairs: Raster<Float>

  /// Allocates memory for the cells of `grid`.
  ///
  /// `weight` returns the certainty that a sample with an alpha of 0 to 1 belongs to the side.
  init(grid: EdgeGrid, weight: (Float) -> Float) {
    let (width, height) = (grid.width, grid.height)
    func filter(_ width: Int, step: Int) -> SeparableGaussian {
      SeparableGaussian(width: width, height: height, step: step, sigma: (Self.reach, Self.reach))
    }
    gaussian = filter(width, step: 1)
    pairGaussian = filter(2 * width, step: 2)
    luma = Raster(width: width, height: height, filledWith: 0)
    chroma = Raster(width: 2 * width, height: height, filledWith: 128)
    weights = Raster(width: width, height: height, filledWith: 0)
    spreadWeights = Raster(width: width, height: height, filledWith: 0)
    sums = Raster(width: width, height: height, filledWith: 0)
    spread = Raster(width: width, height: height, filledWith: 0)
    pairSums = Raster(width: 2 * width, height: height, filledWith: 0)
    spreadPairs = Raster(width: 2 * width, height: height, filledWith: 0)
    weightOfAlpha = Raster(width: 256, height: 1, filledWith: 0)
    for alpha in 0...255 {
      // Far from the side, the colour is the mean of the surrounding cells.
      unsafe weightOfAlpha.base[alpha] = max(weight(Float(alpha) / 255), BlurredRoom.minWeight)
    }
  }

  /// Estimates the side's colours from the mean colours of the cells.
  func estimate(
    luma meanLuma: Raster<UInt8>, chroma meanChroma: Raster<UInt8>, by alpha: Raster<UInt8>
  ) {
    let (width, height) = (luma.width, luma.height)
    for i in 0..<width * height {
      unsafe weights.base[i] = weightOfAlpha.base[Int(alpha.base[i])]
    }
    for y in 0..<height {
      let row = unsafe UnsafePointer(weights.row(y))
      unsafe kernels.weighRow(meanLuma.row(y), row, 1, sums.row(y), width)
      unsafe kernels.weighRow(meanChroma.row(y), row, 2, pairSums.row(y), 2 * width)
    }
    fill(weights, from: spreadWeights, gaussian)
    fill(sums, from: spread, gaussian)
    fill(pairSums, from: spreadPairs, pairGaussian)
    for y in 0..<height {
      let row = unsafe UnsafePointer(weights.row(y))
      unsafe kernels.unweighRow(sums.row(y), row, 1, luma.row(y), width)
      unsafe kernels.unweighRow(pairSums.row(y), row, 2, chroma.row(y), 2 * width)
    }
  }

  private func fill(
    _ raster: Raster<Float>, from surroundings: Raster<Float>, _ gaussian: SeparableGaussian
  ) {
    let count = raster.width * raster.height
    unsafe surroundings.base.update(from: raster.base, count: count)
    gaussian.apply(to: surroundings)
    unsafe kernels.accumulate(raster.base, surroundings.base, Self.shareOfSurroundings, count)
  }
}
