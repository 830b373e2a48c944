import PixelTypes

/// Finds out whether anything in the picture moved since the last inference.
///
/// The picture is compared with that of the last inference, not with the one before it, so that what
/// moves slowly adds up; in blocks, of which each counts, so that a fingertip is as good as a person.
final class StillScene {
  /// Mean difference, in code values, by which a block of a still scene may differ, beside the noise
  /// of the camera: an edge of little contrast that moves by a sample makes more.
  private static let tolerance = 4.0
  /// How much more the noise of a block may be than that of the blocks in the middle.
  private static let unevenness = 1.5
  /// More than that is no noise.
  private static let mostNoise = 4.0
  /// A scene is still for so many nanoseconds before an inference is left out.
  ///
  /// Meanwhile a network with a memory still gets better, the smoothing comes to rest and the view
  /// becomes as small as it can be. Half a second, less the trembling of a camera's times.
  private static let timeToSettle: UInt64 = 490_000_000

  /// The maximum time without an inference, in nanoseconds.
  ///
  /// What a network makes of a scene may change without a motion, and a motion may be too faint.
  private static let maxRest: UInt64 = 1_000_000_000

  private let differences: BlockDifferences
  /// Since when the scene is still, in nanoseconds; nil while it is not.
  private var began: UInt64?

  /// Makes a detector.
  init(kernels: any RowKernels.Type) {
    differences = BlockDifferences(kernels: kernels)
  }

  /// The scene that comes next is not known yet.
  func reset() {
    began = nil
  }

  /// Returns whether `picture`, at `time` nanoseconds, needs no inference because nothing moved.
  ///
  /// `earlier` is the picture of the last inference and `age` the nanoseconds since then. Call this
  /// for each frame that is to have an inference.
  func isSettled(_ picture: Plane, since earlier: Plane, age: UInt64?, at time: UInt64) -> Bool {
    guard isStill(picture, since: earlier) else {
      began = nil
      return false
    }
    // Times come from outside: they may go back.
    guard let began, time >= began else {
      began = time
      return false
    }
    return time - began >= Self.timeToSettle && age.map { $0 < Self.maxRest } == true
  }

  private func isStill(_ picture: Plane, since earlier: Plane) -> Bool {
    guard min(picture.width, picture.height) >= MotionBlock.window else { return false }
    differences.compare(picture, with: earlier)
    let noise = min(differences.median, Self.mostNoise)
    return differences.greatest <= Self.tolerance + Self.unevenness * noise
  }
}
