import PixelTypes

/// Keeps a still edge from trembling without letting a moving one trail.
///
/// Each sample moves towards the new matte by a share that grows with the disagreement and with what
/// moves in the picture: a small difference where nothing moves is noise and is followed slowly, a
/// large one, or one on a moving edge, is followed at once. Where the network itself is not sure and
/// nothing moves, what was seen before counts for more.
final class TemporalSmoothing {
  /// The share of a vanishing difference that is followed at full strength.
  private static let minShare = 0.08
  /// How much less an alpha in the middle counts.
  private static let hesitation: Float = 0.5

  private let kernels: any RowKernels.Type
  private let steady: Raster<Float>
  private let motion: MotionMap
  private var hasPast = false

  /// Allocates memory for mattes of `width` by `height`.
  init(width: Int, height: Int, kernels: any RowKernels.Type) {
    self.kernels = kernels
    steady = Raster(width: width, height: height, filledWith: 0)
    motion = MotionMap(width: width, height: height, kernels: kernels)
  }

  /// The picture of the last matte.
  var picture: Plane { motion.previous.plane }

  /// The next matte is taken as it is.
  func reset() {
    hasPast = false
  }

  /// Makes a new matte steady, in place.
  ///
  /// `luma` is the picture that it belongs to, of the same size. `strength` is 0 (none) to 1.
  func smooth(_ matte: Raster<UInt8>, luma: Plane, strength: Double) {
    guard strength > 0 else {
      hasPast = false
      motion.take(luma)
      return
    }
    motion.update(with: luma)
    motion.begin()
    // At a half, a quarter of a small difference is followed: it is gone after a few frames.
    let rest = 1 - min(strength, 1)
    let minShare = hasPast ? Float(max(rest * rest, Self.minShare)) : 1
    for y in 0..<matte.height {
      unsafe kernels.steady(
        steady.row(y), matte.row(y), motion.row(y), minShare, hasPast ? Self.hesitation : 0,
        matte.width)
    }
    hasPast = true
  }
}
