import PixelTypes

#if canImport(Glibc)
  import Glibc
#endif

/// The weights of a separable filter along one axis, for shrinking or enlarging a part of a row or
/// column.
///
/// The filter is as wide as the step between output samples, and at least as the step between source
/// samples, so that what the output cannot show is averaged away. Which part of the source is read
/// may change from frame to frame: the room for that is made once.
final class AxisFilter {
  /// Number of weights of each output sample.
  private(set) var taps = 0
  /// First source sample of each output sample; `starts + taps` never exceeds the part.
  let starts: Raster<Int32>
  /// Row `t` holds the weight of tap `t` for each output sample; the weights of a sample sum to 1.
  let weights: Raster<Float>

  private let kind: TensorFormat.Filter

  /// Makes room for `count` output samples, each `scale` source samples wide at most, of a source of
  /// at most `sourceCount` samples.
  init(count: Int, greatestScale scale: Double, sourceCount: Int, kind: TensorFormat.Filter) {
    self.kind = kind
    starts = Raster(width: count, height: 1, filledWith: 0)
    weights = Raster(
      width: count, height: Self.taps(scale, sourceCount, kind), filledWith: 0)
  }

  /// Reads all of `sourceCount` samples: output sample `i` is centred at `(i + 0.5) * scale`.
  convenience init(count: Int, scale: Double, sourceCount: Int, kind: TensorFormat.Filter) {
    self.init(count: count, greatestScale: scale, sourceCount: sourceCount, kind: kind)
    aim(origin: 0, scale: scale, part: 0..<sourceCount)
  }

  /// Reads the samples of `part` from now on: output sample `i` is centred at `origin + (i + 0.5) *
  /// scale` source samples.
  ///
  /// What lies outside of `part` is taken to be as the nearest sample of it.
  func aim(origin: Double, scale: Double, part: Range<Int>) {
    let width = max(scale, 1)
    let support = width * Self.lobes(of: kind)
    taps = min(Self.taps(scale, part.count, kind), weights.height)
    for i in 0..<starts.width {
      let centre = origin + (Double(i) + 0.5) * scale - 0.5
      let start = min(
        max(Int((centre - support).rounded(.up)), part.lowerBound), part.upperBound - taps)
      var total = 0.0
      for tap in 0..<taps {
        total += Self.weight(of: kind, at: (Double(start + tap) - centre) / width)
      }
      unsafe starts.base[i] = Int32(start)
      // A centre far beyond the part's edge sees the edge sample alone.
      let edge = centre < Double(part.lowerBound) ? 0 : taps - 1
      for tap in 0..<taps {
        let value = Self.weight(of: kind, at: (Double(start + tap) - centre) / width)
        unsafe weights.row(tap)[i] = Float(
          total > 1e-6 ? value / total : tap == edge ? 1 : 0)
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

  /// So many samples lie within the support at most; the kernel takes four at a time.
  private static func taps(_ scale: Double, _ sourceCount: Int, _ kind: TensorFormat.Filter) -> Int
  {
    let within = Int((2 * max(scale, 1) * lobes(of: kind)).rounded(.up))
    return min((within + 3) / 4 * 4, sourceCount)
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
