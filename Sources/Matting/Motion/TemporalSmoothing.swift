import PixelTypes
import Processor

/// Suppresses flicker on static edges without ghosting on moving ones.
///
/// Each sample moves towards the new matte by a share of the difference. The share grows with the
/// difference and with the motion in the picture:
/// - A small difference without motion is noise, and is followed slowly.
/// - A large difference, or a difference on a moving edge, is followed at once.
/// - If the network is uncertain and nothing moves, the share is smaller.
final class TemporalSmoothing {
  /// The share for a tiny difference at full strength.
  private static let minShare = 0.08
  /// The reduction of the share at a medium alpha, from 0 to 1.
  private static let uncertaintyDamping: Float = 0.5

  private let smoothed: Raster<Float>
  private let motion: MotionMap
  private var hasPast = false

  init(width: Int, height: Int) {
    smoothed = Raster(width: width, height: height, filledWith: 0)
    motion = MotionMap(width: width, height: height)
  }

  /// The picture of the last matte.
  var picture: Plane { motion.previous.plane }

  /// Discards earlier mattes, so that the next matte is not changed.
  func reset() { hasPast = false }

  /// Smooths a new matte in place.
  ///
  /// `luma` is its picture at the same size. `strength` is 0 (off) to 1.
  func smooth(_ matte: Raster<UInt8>, luma: Plane, strength: Double) {
    guard strength > 0 else {
      hasPast = false
      motion.store(luma)
      return
    }
    motion.update(with: luma)
    // At strength 0.5, a quarter of a small difference is followed, so it vanishes in a few frames.
    let rest = 1 - min(strength, 1)
    let minShare = hasPast ? Float(max(rest * rest, Self.minShare)) : 1
    for y in 0..<matte.height {
      unsafe kernels.smooth(
        smoothed.row(y), matte.row(y), motion.row(y), minShare,
        hasPast ? Self.uncertaintyDamping : 0, matte.width)
    }
    hasPast = true
  }
}
