import Glibc
import PixelTypes
import Processor

/// The weights of a separable filter along one axis, for scaling a part of a row or column.
///
/// The filter is as wide as the step between output samples, but at least as wide as the step
/// between source samples. It removes detail that is too fine for the output. A change of the
/// source's part allocates no memory.
package final class AxisFilter {
  /// The number of weights per output sample.
  private(set) var taps = 0
  /// First source sample per output sample, at most the end of the part minus `taps`.
  package let starts: Raster<Int32>
  /// The weights of output sample `i`, which add up to 1, from `i * taps` on.
  package let weights: Raster<Float>

  private let kind: TensorFormat.Filter
  private let tapsAtOnce: Int
  private let maxTaps: Int

  /// Allocates memory for `count` output samples of a source of at most `sourceCount` samples.
  ///
  /// `maxScale` is the maximum width of an output sample in source samples. `maxReach` is
  /// the maximum `reach` of the filter. The number of taps is a multiple of `tapsAtOnce`, for which
  /// the kernel is fast, unless the source has fewer samples.
  package init(
    count: Int, maxScale scale: Double, maxReach reach: Double = 0, sourceCount: Int,
    kind: TensorFormat.Filter, tapsAtOnce: Int = 4
  ) {
    (self.kind, self.tapsAtOnce) = (kind, tapsAtOnce)
    starts = Raster(width: count, height: 1, filledWith: 0)
    maxTaps = max(
      Self.taps(scale, sourceCount, kind, tapsAtOnce),
      Self.taps(reach, sourceCount, .triangle, tapsAtOnce))
    weights = Raster(width: maxTaps, height: count, filledWith: 0)
  }

  /// Creates a filter over `sourceCount` samples.
  ///
  /// Output sample `i` is centred at `(i + 0.5) * scale`.
  package convenience init(count: Int, scale: Double, sourceCount: Int, kind: TensorFormat.Filter) {
    self.init(count: count, maxScale: scale, sourceCount: sourceCount, kind: kind)
    updateTaps(origin: 0, scale: scale, part: 0..<sourceCount)
  }

  /// Computes the weights for a source with the samples in `part`.
  ///
  /// Output sample `i` is centred at `origin + (i + 0.5) * scale` source samples. The samples at
  /// the ends of `part` are repeated beyond it. With a `reach` the filter is a triangle with this
  /// reach to each side in source samples, regardless of its kind.
  package func updateTaps(origin: Double, scale: Double, reach: Double? = nil, part: Range<Int>) {
    let kind = reach == nil ? kind : .triangle
    let width = max(reach ?? scale, 1)
    let support = width * Self.lobes(of: kind)
    taps = min(Self.taps(width, part.count, kind, tapsAtOnce), maxTaps)
    for i in 0..<starts.width {
      let centre = origin + (Double(i) + 0.5) * scale - 0.5
      let start = min(
        max(Int((centre - support).rounded(.up)), part.lowerBound), part.upperBound - taps)
      var total = 0.0
      for tap in 0..<taps {
        total += Self.weight(of: kind, at: (Double(start + tap) - centre) / width)
      }
      unsafe starts.base[i] = Int32(start)
      // A centre far beyond the part's edge uses only the edge sample.
      let edge = centre < Double(part.lowerBound) ? 0 : taps - 1
      for tap in 0..<taps {
        let value = Self.weight(of: kind, at: (Double(start + tap) - centre) / width)
        unsafe weights.base[i * taps + tap] = Float(
          total > 1e-6 ? value / total : tap == edge ? 1 : 0)
      }
    }
  }

  /// Filters the columns of a row.
  package func apply(to row: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>) {
    unsafe kernels.filterColumns(row, starts.base, weights.base, taps, out, starts.width)
  }

  /// Filters the columns of a row of interleaved pairs, and separates the pairs.
  package func apply(
    toPairs row: UnsafePointer<Float>,
    into first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>
  ) {
    unsafe kernels.filterColumnPairs(
      row, starts.base, weights.base, taps, first, second, starts.width)
  }

  /// Adds up the weighted rows of a plane for output row `y`, for a range of `bytes` per row.
  package func sumRows(of plane: Plane, for y: Int, _ bytes: Range<Int>, into sums: Raster<Float>) {
    let weights = unsafe weights.base + y * taps
    var (first, last) = (0, taps - 1)
    while first < last, unsafe weights[first] == 0 { first += 1 }
    while first < last, unsafe weights[last] == 0 { last -= 1 }
    unsafe kernels.sumWeightedRows(
      plane.row(Int(starts.base[y]) + first) + bytes.lowerBound, plane.stride, weights + first,
      last - first + 1, sums.base + bytes.lowerBound, bytes.count)
  }

  /// Adds up the weighted rows of floats for output row `y`, without gaps between the rows.
  package func sumRows(of rows: UnsafePointer<Float>, for y: Int, into sums: Raster<Float>) {
    let (first, weights) = unsafe (rows + Int(starts.base[y]) * sums.width, weights.base + y * taps)
    sums.fill(with: 0)
    for tap in 0..<taps {
      unsafe kernels.accumulate(sums.base, first + tap * sums.width, weights[tap], sums.width)
    }
  }

  /// Returns the maximum number of samples within the support.
  private static func taps(
    _ scale: Double, _ sourceCount: Int, _ kind: TensorFormat.Filter, _ atOnce: Int
  ) -> Int {
    let within = Int((2 * max(scale, 1) * lobes(of: kind)).rounded(.up))
    return min((within + atOnce - 1) / atOnce * atOnce, sourceCount)
  }

  /// Returns the reach of the filter to each side, in units of its width.
  private static func lobes(of kind: TensorFormat.Filter) -> Double {
    switch kind {
    case .triangle: 1
    case .lanczos: 3
    }
  }

  /// Returns the filter's value at the distance `x` from its centre, in units of its width.
  private static func weight(of kind: TensorFormat.Filter, at x: Double) -> Double {
    let distance = abs(x)
    guard distance < lobes(of: kind) else { return 0 }
    switch kind {
    case .triangle: return 1 - distance
    case .lanczos:
      guard distance > 1e-9 else { return 1 }
      // sinc(x) sinc(x / 3), Duchon 1979.
      let angle = Double.pi * distance
      return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    }
  }
}
