import PixelTypes

#if canImport(Glibc)
  import Glibc
#endif

/// A Gaussian over a raster of floats, columns and rows one after the other; edges are repeated.
final class SeparableGaussian {
  private let kernels: any RowKernels.Type
  private let step: Int
  private let rowTaps: Raster<Float>, columnTaps: Raster<Float>
  private let padded: Raster<Float>
  private let filtered: Raster<Float>

  /// Makes a filter for rasters of `width` by `height` samples.
  ///
  /// The sigmas count samples along a row and along a column; `step` is 2 for interleaved pairs,
  /// where they count pairs.
  init(
    width: Int, height: Int, step: Int, sigma: (x: Double, y: Double),
    kernels: any RowKernels.Type
  ) {
    self.kernels = kernels
    self.step = step
    rowTaps = Self.taps(sigma: sigma.x)
    columnTaps = Self.taps(sigma: sigma.y)
    padded = Raster(
      width: width + 2 * (rowTaps.width - 1) * step, height: 1, filledWith: 0)
    filtered = Raster(width: width, height: height, filledWith: 0)
  }

  /// The weights of the centre and of the samples to one side of it.
  private static func taps(sigma: Double) -> Raster<Float> {
    // Beyond three sigma lies less than 0.3 % of the weight.
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
  func apply(to raster: Raster<Float>) {
    let margin = (rowTaps.width - 1) * step
    let radius = columnTaps.width - 1
    for y in 0..<raster.height {
      let row = unsafe raster.row(y)
      for i in 0..<margin {
        unsafe padded.base[i] = row[i % step]
        unsafe padded.base[margin + raster.width + i] = row[raster.width - step + i % step]
      }
      unsafe (padded.base + margin).update(from: row, count: raster.width)
      unsafe kernels.convolveRow(
        padded.base + margin, step, rowTaps.base, rowTaps.width, filtered.row(y), raster.width)
    }
    for y in 0..<raster.height {
      let out = unsafe raster.row(y)
      unsafe out.update(repeating: 0, count: raster.width)
      unsafe kernels.accumulate(out, filtered.row(y), columnTaps.base[0], raster.width)
      for tap in 1...radius {
        unsafe kernels.accumulateTwo(
          out, filtered.row(max(y - tap, 0)), filtered.row(min(y + tap, raster.height - 1)),
          columnTaps.base[tap], raster.width)
      }
    }
  }
}
