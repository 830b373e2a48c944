import PixelTypes

#if canImport(Glibc)
  import Glibc
#endif

/// A Gaussian over a raster of floats, columns and rows one after the other; edges are repeated.
final class SeparableGaussian {
  private let kernels: any RowKernels.Type
  private let step: Int
  private let taps: Raster<Float>
  private let padded: Raster<Float>
  private let filtered: Raster<Float>

  /// Makes a filter for rasters of `width` by `height` samples.
  ///
  /// `sigma` counts samples; `step` is 2 for interleaved pairs, where it counts pairs.
  init(width: Int, height: Int, step: Int, sigma: Double, kernels: any RowKernels.Type) {
    self.kernels = kernels
    self.step = step
    // Beyond three sigma lies less than 0.3 % of the weight.
    let radius = max(Int((3 * sigma).rounded(.up)), 1)
    taps = Raster(width: radius + 1, height: 1, filledWith: 0)
    padded = Raster(width: width + 2 * radius * step, height: 1, filledWith: 0)
    filtered = Raster(width: width, height: height, filledWith: 0)
    let values = (0...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let total = 2 * values.reduce(0, +) - values[0]
    for (index, value) in values.enumerated() {
      unsafe taps.base[index] = Float(value / total)
    }
  }

  /// Filters `raster` in place.
  func apply(to raster: Raster<Float>) {
    let radius = taps.width - 1
    let margin = radius * step
    for y in 0..<raster.height {
      let row = unsafe raster.row(y)
      for i in 0..<margin {
        unsafe padded.base[i] = row[i % step]
        unsafe padded.base[margin + raster.width + i] = row[raster.width - step + i % step]
      }
      unsafe (padded.base + margin).update(from: row, count: raster.width)
      unsafe kernels.convolveRow(
        padded.base + margin, step, taps.base, taps.width, filtered.row(y), raster.width)
    }
    for y in 0..<raster.height {
      let out = unsafe raster.row(y)
      unsafe out.update(repeating: 0, count: raster.width)
      for tap in -radius...radius {
        let source = min(max(y + tap, 0), raster.height - 1)
        unsafe kernels.accumulate(
          out, filtered.row(source), taps.base[abs(tap)], raster.width)
      }
    }
  }
}
