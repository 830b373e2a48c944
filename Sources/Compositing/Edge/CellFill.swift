import PixelTypes
import Processor

/// Fills cells that contain much background with the person's colours around them.
///
/// A normalised convolution as in `SideColors`. Its kernel covers the whole frame and decays
/// exponentially. It therefore needs only four passes: both directions of rows and of columns.
final class CellFill {
  /// The factor by which the weight of a colour falls per cell.
  private static let decay: Float = 0.8
  /// The weight of the overall mean colour in each cell, which matters only far from the person.
  private static let shareOfMean: Float = 1e-4
  /// The alpha below which a cell is filled: a quarter of the cell is background.
  private static let minAlpha: UInt8 = 192

  /// The weight of each cell, and the weighted luma, Cb and Cr.
  private let sums: Raster<Float>

  init(grid: EdgeGrid) {
    sums = Raster(width: 4 * grid.width, height: grid.height, filledWith: 0)
  }

  /// Fills the cells of `means` with an alpha below `minAlpha`.
  func fill(_ means: CellMeans, by alpha: Raster<UInt8>) {
    let count = alpha.width * alpha.height
    let mean = Self.mean(of: means, by: alpha)
    for i in 0..<count {
      let certainty = unsafe max(2 * Float(alpha.base[i]) / 255 - 1, 0)
      let weight = certainty * certainty * certainty * certainty
      let cell = unsafe sums.base + 4 * i
      unsafe cell[0] = weight + Self.shareOfMean
      unsafe cell[1] = weight * Float(means.luma.base[i]) + Self.shareOfMean * mean.luma
      unsafe cell[2] = weight * Float(means.chroma.base[2 * i]) + Self.shareOfMean * mean.cb
      unsafe cell[3] = weight * Float(means.chroma.base[2 * i + 1]) + Self.shareOfMean * mean.cr
    }
    spread()
    for i in 0..<count where unsafe alpha.base[i] < Self.minAlpha {
      let cell = unsafe sums.base + 4 * i
      // A mean of bytes, but rounding errors can move it slightly out of 0...255.
      func sample(_ part: Int) -> UInt8 {
        unsafe UInt8(min(max(cell[part] / cell[0] + 0.5, 0), 255))
      }
      unsafe means.luma.base[i] = sample(1)
      unsafe (means.chroma.base[2 * i], means.chroma.base[2 * i + 1]) = (sample(2), sample(3))
    }
  }

  /// Convolves the sums with the kernel.
  private func spread() {
    let (width, height) = (sums.width, sums.height)
    for y in 0..<height {
      let row = unsafe sums.row(y)
      for i in stride(from: 4, to: width, by: 1) { unsafe row[i] += Self.decay * row[i - 4] }
      for i in stride(from: width - 5, through: 0, by: -1) {
        unsafe row[i] += Self.decay * row[i + 4]
      }
      if y > 0 { unsafe kernels.accumulate(row, sums.row(y - 1), Self.decay, width) }
    }
    for y in stride(from: height - 2, through: 0, by: -1) {
      unsafe kernels.accumulate(sums.row(y), sums.row(y + 1), Self.decay, width)
    }
  }

  /// Returns the mean colour of all cells, weighted by the square of their alpha.
  ///
  /// Without a person, returns the unweighted mean.
  private static func mean(
    of means: CellMeans, by alpha: Raster<UInt8>
  ) -> (luma: Float, cb: Float, cr: Float) {
    var (weights, luma, cb, cr): (Float, Float, Float, Float) = (0, 0, 0, 0)
    for i in 0..<alpha.width * alpha.height {
      let share = unsafe Float(alpha.base[i]) / 255
      let weight = share * share + 1e-6
      weights += weight
      unsafe luma += weight * Float(means.luma.base[i])
      unsafe cb += weight * Float(means.chroma.base[2 * i])
      unsafe cr += weight * Float(means.chroma.base[2 * i + 1])
    }
    return (luma / weights, cb / weights, cr / weights)
  }
}
