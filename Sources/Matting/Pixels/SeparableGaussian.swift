import Glibc
import PixelTypes
import Processor

/// A Gaussian filter for rasters of floats, first along rows, then along columns.
///
/// Samples at the edges are repeated.
package final class SeparableGaussian {
  private let step: Int
  private let rowTaps: Raster<Float>, columnTaps: Raster<Float>
  private let padded: Raster<Float>
  /// The raster after filtering along rows, with the first and last row repeated above and below.
  private let filtered: Raster<Float>

  /// Creates a filter for rasters of `width` by `height` samples.
  ///
  /// `sigma` is in samples along a row and along a column. For interleaved pairs, `step` is 2 and
  /// `sigma.x` is in pairs.
  package init(width: Int, height: Int, step: Int, sigma: (x: Double, y: Double)) {
    self.step = step
    rowTaps = Self.taps(sigma: sigma.x)
    columnTaps = Self.taps(sigma: sigma.y)
    padded = Raster(width: width + 2 * (rowTaps.width - 1) * step, height: 1, filledWith: 0)
    filtered = Raster(width: width, height: height + 2 * (columnTaps.width - 1), filledWith: 0)
  }

  /// Returns the weights of the centre and of the samples on one side of it.
  private static func taps(sigma: Double) -> Raster<Float> {
    // Less than 0.3 % of the weight is beyond three sigma.
    let radius = max(Int((3 * sigma).rounded(.up)), 1)
    let taps = Raster<Float>(width: radius + 1, height: 1, filledWith: 0)
    let values = (0...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let total = 2 * values.reduce(0, +) - values[0]
    for (index, value) in values.enumerated() {
      unsafe taps.base[index] = Float(value / total)
    }
    return taps
  }

  /// Filters `raster` in place.
  package func apply(to raster: Raster<Float>) {
    let width = raster.width
    let margin = (rowTaps.width - 1) * step
    let radius = columnTaps.width - 1
    for y in 0..<raster.height {
      let row = unsafe raster.row(y)
      for pair in 0..<rowTaps.width - 1 {
        for part in 0..<step {
          unsafe padded.base[pair * step + part] = row[part]
          unsafe padded.base[margin + width + pair * step + part] = row[width - step + part]
        }
      }
      unsafe (padded.base + margin).update(from: row, count: width)
      unsafe kernels.convolveRow(
        padded.base + margin, step, rowTaps.base, rowTaps.width, filtered.row(radius + y), width)
    }
    for y in 0..<radius {
      unsafe filtered.row(y).update(from: filtered.row(radius), count: width)
      unsafe filtered.row(radius + raster.height + y).update(
        from: filtered.row(radius + raster.height - 1), count: width)
    }
    // Rows are contiguous, so the same filter works along columns with a step of a row's width.
    for y in 0..<raster.height {
      unsafe kernels.convolveRow(
        filtered.row(radius + y), width, columnTaps.base, columnTaps.width, raster.row(y), width)
    }
  }
}
