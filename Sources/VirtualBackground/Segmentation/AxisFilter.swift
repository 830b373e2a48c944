import PixelTypes

#if canImport(Glibc)
  import Glibc
#endif

/// The weights of a separable filter along one axis, for shrinking or enlarging.
///
/// The filter is as wide as the step between output samples, and at least as the step between source
/// samples, so that what the output cannot show is averaged away.
struct AxisFilter {
  /// Number of weights of each output sample.
  let taps: Int
  /// First source sample of each output sample; `starts + taps` never exceeds the source.
  let starts: Raster<Int32>
  /// Row `t` holds the weight of tap `t` for each output sample; the weights of a sample sum to 1.
  let weights: Raster<Float>

  /// Output sample `i` is centred at `(i + 0.5) * scale` source samples.
  init(count: Int, scale: Double, sourceCount: Int, kind: TensorFormat.Filter) {
    let width = max(scale, 1)
    let support = width * Self.lobes(of: kind)
    // So many samples lie within the support at most; the kernel takes four at a time.
    let within = Int((2 * support).rounded(.up))
    let taps = min((within + 3) / 4 * 4, sourceCount)
    self.taps = taps
    starts = Raster(width: count, height: 1, filledWith: 0)
    weights = Raster(width: count, height: taps, filledWith: 0)
    for i in 0..<count {
      let centre = (Double(i) + 0.5) * scale - 0.5
      let start = min(max(Int((centre - support).rounded(.up)), 0), sourceCount - taps)
      let values = (0..<taps).map {
        Self.weight(of: kind, at: (Double(start + $0) - centre) / width)
      }
      let total = values.reduce(0, +)
      unsafe starts.base[i] = Int32(start)
      for (tap, value) in values.enumerated() {
        // A centre far beyond the source's edge sees the edge sample alone.
        let edge = tap == (centre < 0 ? 0 : taps - 1) ? 1.0 : 0
        unsafe weights.row(tap)[i] = Float(total > 1e-6 ? value / total : edge)
      }
    }
  }

  /// Filters the columns of a row whose samples are `step` floats apart.
  func apply(
    _ kernels: any RowKernels.Type, to row: UnsafePointer<Float>, step: Int,
    into out: UnsafeMutablePointer<Float>
  ) {
    unsafe kernels.filterColumns(row, step, starts.base, weights.base, taps, out, starts.width)
  }

  /// Where the filter ends, in output steps.
  private static func lobes(of kind: TensorFormat.Filter) -> Double {
    switch kind {
    case .triangle: 1
    case .lanczos: 3
    }
  }

  /// The filter's value at `x` output steps from its centre.
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
