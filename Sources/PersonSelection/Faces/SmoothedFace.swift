import Glibc

/// A face with coordinates that are smoothed over time.
///
/// The smoothing is strong at rest, against jitter, and weak in motion, against lag. Each
/// coordinate goes through the low-pass filter of Casiez, Roussel and Vogel 2012, "1 Euro Filter: A
/// Simple Speed-based Low-pass Filter for Noisy Input in Interactive Systems". The cutoff depends
/// on the speed in face widths per second, so small faces of people far away are smoothed the same.
public struct SmoothedFace {
  /// The smoothed face, with the score of the last detection.
  public private(set) var face: Face
  /// The speed of every coordinate, in pixels per second.
  private var speed: Face

  /// The cutoff frequency at rest, in Hz.
  private static let restingCutoff: Float = 1.5
  /// The increase of the cutoff frequency, in Hz, for each face width per second of speed.
  private static let cutoffPerSpeed: Float = 4
  /// The cutoff frequency for the speed itself, in Hz.
  private static let speedCutoff: Float = 2
  /// The time, in seconds, after which a missed face has lost three quarters of its speed.
  private static let coasting: Float = 0.25
  /// The maximum distance between detections of the same face, in widths.
  public static let maxDistance: Float = 0.8
  /// The distance, in widths, that a ratio of e between two widths adds.
  private static let sizeWeight: Float = 0.5

  /// Creates a face at rest.
  public init(_ face: Face) {
    self.face = face
    speed = face.combined(face) { _, _ in .zero }
  }

  /// Adds the face that was detected `seconds` after the previous one.
  public mutating func add(_ new: Face, after seconds: Float) {
    guard seconds > 0 else {
      self = SmoothedFace(new)
      return
    }
    let step = new.combined(face, -)
    speed = speed.combined(step) { speed, step in
      speed + Self.share(FacePoint(repeating: Self.speedCutoff), seconds) * (step / seconds - speed)
    }
    let width = max(new.box.width, 1)
    let correction = speed.combined(step) { speed, step in
      let absolute = pointwiseMax(speed, -speed)
      let cutoff = Self.restingCutoff + Self.cutoffPerSpeed * absolute / width
      return Self.share(cutoff, seconds) * step
    }
    face = face.combined(correction, +)
    face.score = new.score
  }

  /// Returns the predicted box `seconds` later.
  func box(after seconds: Float) -> FaceBox {
    var box = face.box
    let seconds = Self.coasting * seconds / (Self.coasting + seconds)
    box.center += speed.box.center * seconds
    return box
  }

  /// Returns the distance of a detection from the predicted box, `seconds` later.
  ///
  /// In widths, including the difference of the sizes.
  public func distance(to new: Face, after seconds: Float) -> Float {
    let (expected, box) = (box(after: seconds), new.box)
    let width = max((expected.width + box.width) / 2, 1)
    let way = expected.center - box.center
    return hypotf(way.x, way.y) / width
      + Self.sizeWeight * abs(logf(max(expected.width, 1) / max(box.width, 1)))
  }

  /// Moves a missed face on by `seconds`, at decreasing speed.
  public mutating func coast(for seconds: Float) {
    face = face.placed(at: box(after: seconds).center - face.box.center)
    let left = Self.coasting / (Self.coasting + seconds)
    speed = speed.combined(speed) { speed, _ in speed * left * left }
  }

  /// The weight of a new value at a cutoff frequency.
  private static func share(_ cutoff: FacePoint, _ seconds: Float) -> FacePoint {
    let turn = 2 * Float.pi * cutoff * seconds
    return turn / (1 + turn)
  }
}
