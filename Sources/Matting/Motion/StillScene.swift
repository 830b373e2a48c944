import PixelTypes

/// Detects whether anything moved in the picture since the last inference.
///
/// The picture is compared with the picture of the last inference, not with the previous picture,
/// so slow motion adds up. One changed block is enough, so a moving fingertip is detected like a
/// person.
final class StillScene {
  /// In a still scene, the maximum amount by which a block's mean difference exceeds the noise, in
  /// code values.
  ///
  /// Even a low-contrast edge that moves by one sample causes a larger difference.
  private static let tolerance = 4.0
  /// The maximum ratio between the noise of a block and the median of all blocks.
  private static let unevenness = 1.5
  /// The maximum difference due to noise, in code values.
  private static let maxNoise = 4.0
  /// Nanoseconds for which a scene must be still before inferences are skipped.
  ///
  /// In this time the crop shrinks to its final size. The value is half a second, minus timestamp
  /// jitter.
  private static let minStillTime: UInt64 = 490_000_000

  /// The maximum mean difference between a block of two successive mattes that agree.
  private static let maxMatteChange = 6.0

  /// The maximum time without an inference, in nanoseconds.
  ///
  /// The matte of a network may change without motion, and some motion is too faint to detect.
  private static let maxRest: UInt64 = 1_000_000_000

  private let differences: BlockDifferences
  /// The last inferred matte.
  private let matte: Raster<UInt8>
  /// Whether the last two mattes of the still scene agree, or nil if it has fewer.
  private var mattesAgree: Bool?
  /// The start of the still scene in nanoseconds, or nil if something moves.
  private var began: UInt64?

  init(grid: MatteGrid) {
    differences = BlockDifferences()
    matte = Raster(width: grid.width, height: grid.height, filledWith: 0)
  }

  /// Whether the matte changes although nothing moves, because a recurrent network still forgets
  /// something.
  var isMatteChanging: Bool { began != nil && mattesAgree == false }

  /// Compares an inferred matte with the previous one.
  func record(_ new: Raster<UInt8>) {
    differences.compare(new.plane, with: matte.plane)
    mattesAgree = differences.maximum <= Self.maxMatteChange
    matte.store(new.plane)
  }

  /// Restarts the detection for another scene.
  func reset() { began = nil }

  /// Returns whether `picture`, at `time` nanoseconds, needs no inference because nothing moved.
  ///
  /// `earlier` is the picture of the last inference and `age` the nanoseconds since then. Call this
  /// for each frame that is due for an inference.
  func isSettled(_ picture: Plane, since earlier: Plane, age: UInt64?, at time: UInt64) -> Bool {
    guard isStill(picture, since: earlier) else {
      began = nil
      return false
    }
    // Timestamps come from outside and may go backwards.
    guard let began, time >= began else {
      (began, mattesAgree) = (time, nil)
      return false
    }
    return mattesAgree == true && time - began >= Self.minStillTime
      && age.map { $0 < Self.maxRest } == true
  }

  private func isStill(_ picture: Plane, since earlier: Plane) -> Bool {
    guard min(picture.width, picture.height) >= MotionBlock.window else { return false }
    differences.compare(picture, with: earlier)
    let noise = min(differences.median, Self.maxNoise)
    return differences.maximum <= Self.tolerance + Self.unevenness * noise
  }
}

/// The knowledge about the scene, which decides whether frames need an inference of their own.
enum SceneState {
  /// The scene is known: two of its mattes agreed.
  case known
  /// The scene is new: each frame gets an inference until two mattes agree.
  ///
  /// `coverage` refers to the last matte, and is nil before the first matte of the scene.
  case new(coverage: Double?)
  /// The scene changed during a side inference, which still uses the people of the old scene.
  case changed

  /// The maximum difference in coverage, as a share of the frame, between two mattes that agree.
  private static let maxCoverageChange = 0.005

  var isKnown: Bool { if case .known = self { true } else { false } }
  /// Whether the scene is new and has no matte yet.
  var isEmpty: Bool { if case .new(nil) = self { true } else { false } }

  /// Checks whether the last two mattes agree, if the scene is not known.
  mutating func recordMatte(coverage: @autoclosure () -> Double) {
    guard case .new(let last) = self else { return }
    let coverage = coverage()
    let agrees = last.map { abs($0 - coverage) <= Self.maxCoverageChange } == true
    self = agrees ? .known : .new(coverage: coverage)
  }
}
