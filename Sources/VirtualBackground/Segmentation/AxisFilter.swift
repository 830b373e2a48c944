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
  /// Row `i` holds the weights of output sample `i`, which sum to 1.
  let weights: Raster<Float>

  /// Output sample `i` is centred at `(i + 0.5) * scale` source samples; the number of taps is a
  /// multiple of `tapsAtOnce`, which the kernel is fast for, where the source has that many.
  init(
    count: Int, scale: Double, sourceCount: Int, kind: TensorFormat.Filter, tapsAtOnce: Int = 4
  ) {
    let width = max(scale, 1)
    let support = width * Self.lobes(of: kind)
    // So many samples lie within the support at most.
    let within = Int((2 * support).rounded(.up))
    let taps = min((within + tapsAtOnce - 1) / tapsAtOnce * tapsAtOnce, sourceCount)
    self.taps = taps
    starts = Raster(width: count, height: 1, filledWith: 0)
    weights = Raster(width: taps, height: count, filledWith: 0)
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
        unsafe weights.row(i)[tap] = Float(total > 1e-6 ? value / total : edge)
      }
    }
  }

  /// Filters the columns of a row.
  func apply(
    _ kernels: any RowKernels.Type, to row: UnsafePointer<Float>,
    into out: UnsafeMutablePointer<Float>
  ) {
    unsafe kernels.filterColumns(row, starts.base, weights.base, taps, out, starts.width)
  }

  /// Filters the columns of a row of interleaved pairs, and takes them apart.
  func apply(
    _ kernels: any RowKernels.Type, toPairs row: UnsafePointer<Float>,
    into first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>
  ) {
    unsafe kernels.filterColumnPairs(
      row, starts.base, weights.base, taps, first, second, starts.width)
  }

  /// Sums the rows of a plane that output row `y` is made of, over the width of `sums`.
  func sumRows(
    _ kernels: any RowKernels.Type, of plane: Plane, for y: Int, into sums: Raster<Float>
  ) {
    let weights = unsafe weights.row(y)
    var (first, last) = (0, taps - 1)
    while first < last, unsafe weights[first] == 0 { first += 1 }
    while first < last, unsafe weights[last] == 0 { last -= 1 }
    unsafe kernels.sumWeightedRows(
      plane.row(Int(starts.base[y]) + first), plane.stride, weights + first, last - first + 1,
      sums.base, sums.width)
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
