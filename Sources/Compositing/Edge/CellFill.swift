import PixelTypes

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
  private let sums: Raster<SIMD4<Float>>

  init(grid: EdgeGrid) {
    sums = Raster(width: grid.width, height: grid.height, filledWith: SIMD4())
  }

  /// Fills the cells of `means` with an alpha below `minAlpha`.
  func fill(_ means: CellMeans, by alpha: Raster<UInt8>) {
    let count = alpha.width * alpha.height
    let mean = Self.mean(of: means, by: alpha)
    for i in 0..<count {
      let certainty = unsafe max(2 * Float(alpha.base[i]) / 255 - 1, 0)
      let weight = certainty * certainty * certainty * certainty
      unsafe sums.base[i] = weight * Self.color(of: means, i) + Self.shareOfMean * mean
    }
    spread()
    for i in 0..<count where unsafe alpha.base[i] < Self.minAlpha {
      let sum = unsafe sums.base[i]
      // A mean of bytes, but rounding errors can move it slightly out of 0...255.
      func sample(_ part: Int) -> UInt8 { UInt8(min(max(sum[part] / sum[0] + 0.5, 0), 255)) }
      unsafe means.luma.base[i] = sample(1)
      unsafe (means.chroma.base[2 * i], means.chroma.base[2 * i + 1]) = (sample(2), sample(3))
    }
  }

  /// Convolves the sums with the kernel.
  private func spread() {
    let (width, height) = (sums.width, sums.height)
    for y in 0..<height {
      let row = unsafe sums.row(y)
      for x in stride(from: 1, to: width, by: 1) { unsafe row[x] += Self.decay * row[x - 1] }
      for x in stride(from: width - 2, through: 0, by: -1) {
        unsafe row[x] += Self.decay * row[x + 1]
      }
      if y > 0 { for x in 0..<width { unsafe row[x] += Self.decay * sums.row(y - 1)[x] } }
    }
    for y in stride(from: height - 2, through: 0, by: -1) {
      for x in 0..<width { unsafe sums.row(y)[x] += Self.decay * sums.row(y + 1)[x] }
    }
  }

  /// Returns the mean colour of all cells, weighted by the square of their alpha.
  ///
  /// Without a person, returns the unweighted mean.
  private static func mean(of means: CellMeans, by alpha: Raster<UInt8>) -> SIMD4<Float> {
    var sum = SIMD4<Float>()
    for i in 0..<alpha.width * alpha.height {
      let share = unsafe Float(alpha.base[i]) / 255
      sum += (share * share + 1e-6) * color(of: means, i)
    }
    return sum / sum[0]
  }

  /// Returns 1, and the luma, Cb and Cr of a cell.
  private static func color(of means: CellMeans, _ i: Int) -> SIMD4<Float> {
    unsafe SIMD4(
      1, Float(means.luma.base[i]), Float(means.chroma.base[2 * i]),
      Float(means.chroma.base[2 * i + 1]))
  }
}
