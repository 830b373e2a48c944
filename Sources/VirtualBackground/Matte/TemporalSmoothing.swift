import PixelTypes

/// Keeps a still edge from trembling without letting a moving one trail.
///
/// Each pixel moves towards the network's new value by a share that grows with the disagreement: a
/// small difference is mostly noise and is followed slowly, a large one is motion and is followed
/// at once.
final class TemporalSmoothing {
  /// A difference of this size is followed wholly, whatever the strength.
  private static let followedWholly: Float = 0.5
  /// The share of a vanishing difference that is followed at full strength.
  private static let leastShare: Float = 0.15

  private let kernels: any RowKernels.Type
  private let steady: Raster<Float>
  private var hasPast = false

  /// Makes room for mattes of `width` by `height`.
  init(width: Int, height: Int, kernels: any RowKernels.Type) {
    self.kernels = kernels
    steady = Raster(width: width, height: height, filledWith: 0)
  }

  /// The next matte is taken as it is.
  func forgetPast() {
    hasPast = false
  }

  /// Takes a new matte and returns the steady one, valid until the next call.
  ///
  /// The rows of `matte` are `stride` floats apart. `strength` is 0 (none) to 1.
  func smooth(
    _ matte: UnsafePointer<Float>, stride: Int, strength: Double
  ) -> Raster<Float> {
    let base = hasPast ? 1 - (1 - Self.leastShare) * Float(strength) : 1
    let gain = (1 - base) / Self.followedWholly
    for y in 0..<steady.height {
      let row = unsafe matte + y * stride
      if base == 1 {
        unsafe steady.row(y).update(from: row, count: steady.width)
      } else {
        unsafe kernels.steady(steady.row(y), row, base, gain, steady.width)
      }
    }
    hasPast = true
    return steady
  }
}
