/// A face whose numbers are smoothed over time: much while they rest, against trembling, and little
/// while they move, against lag.
///
/// Each coordinate goes through the low-pass filter of Casiez, Roussel and Vogel 2012, "1 Euro
/// Filter: A Simple Speed-based Low-pass Filter for Noisy Input in Interactive Systems". Speeds count
/// in widths of the face, so that those of people far away are treated alike.
struct SteadyFace {
  /// The smoothed face; its score is that of the last one.
  private(set) var face: Face
  /// Pixels a second of every coordinate.
  private var speed: Face

  /// Hertz: what is slower passes while the face rests.
  private static let restingCutoff: Float = 1.5
  /// Hertz that a speed of one width a second adds.
  private static let cutoffPerSpeed: Float = 4
  /// Hertz of the filter that the speed itself goes through.
  private static let speedCutoff: Float = 2
  /// Seconds after which a face that is not seen has lost most of its speed.
  private static let coasting: Float = 0.25

  /// Begins with a face at rest.
  init(_ face: Face) {
    self.face = face
    speed = face.combined(face) { _, _ in 0 }
  }

  /// Takes the face as it was found `seconds` after the one before.
  mutating func add(_ new: Face, after seconds: Float) {
    guard seconds > 0 else {
      self = SteadyFace(new)
      return
    }
    let step = new.combined(face) { $0 - $1 }
    speed = speed.combined(step) { speed, step in
      speed + Self.share(Self.speedCutoff, seconds) * (step / seconds - speed)
    }
    let width = max(new.box.width, 1)
    let taken = speed.combined(step) { speed, step in
      Self.share(Self.restingCutoff + Self.cutoffPerSpeed * abs(speed) / width, seconds) * step
    }
    face = face.combined(taken) { $0 + $1 }
    face.score = new.score
  }

  /// Where the box will be `seconds` later.
  func box(after seconds: Float) -> FaceBox {
    var box = face.box
    let seconds = Self.coasting * seconds / (Self.coasting + seconds)
    box.center.x += speed.box.center.x * seconds
    box.center.y += speed.box.center.y * seconds
    return box
  }

  /// Lets a face that is not seen go on for `seconds`, ever slower.
  mutating func coast(for seconds: Float) {
    let center = box(after: seconds).center
    let (x, y) = (center.x - face.box.center.x, center.y - face.box.center.y)
    face = face.placed(scaleX: 1, scaleY: 1, x: x, y: y)
    let left = Self.coasting / (Self.coasting + seconds)
    speed = speed.combined(speed) { speed, _ in speed * left * left }
  }

  /// The share of the new number at a cut-off frequency.
  private static func share(_ cutoff: Float, _ seconds: Float) -> Float {
    let turn = 2 * Float.pi * cutoff * seconds
    return turn / (1 + turn)
  }
}
