import Matting

/// A person of the stream, as the mattes and the faces show them.
///
/// Positions and areas are in samples of the matte, times in ticks of a `MatteClock`.
struct Person {
  /// The face of a person.
  struct Face {
    /// The face, in pixels of the frame.
    var smoothed: SmoothedFace
    /// Its position on the grid.
    var position: FacePosition
    /// The component at the face, or nil if the matte shows no person there.
    var component: Int?
    /// The time since the face was detected.
    var missing = 0

    /// Whether the face was detected so recently that it shows where the person is.
    ///
    /// The networks miss a face in single frames.
    var isCurrent: Bool { missing <= Self.holdTime }

    private static let holdTime = MatteClock.ticks(seconds: 0.4)
  }

  /// A unique number, lower for an earlier arrival.
  let id: Int
  /// The face, or nil if it is not known.
  var face: Face?
  /// The component with this person, now and in the previous matte.
  ///
  /// An index of `MatteBodies.all`, or nil if the person is lost.
  var body: Int?, formerBody: Int?
  /// The position and the area when the person was last alone in a component.
  ///
  /// The area is 0 if they never were.
  var aloneX = 0.0, aloneY = 0.0, aloneArea = 0.0
  /// The expected position, extrapolated with the last speed since the person was alone.
  var x = 0.0, y = 0.0
  /// The speed, in samples per tick.
  var speedX = 0.0, speedY = 0.0
  /// Whether the person may have passed in front of or behind another since they were alone.
  ///
  /// Touching alone does not count.
  var mayHavePassed = false
  /// The area in this matte: their part of a component if they share it, 0 if they are lost.
  var area = 0.0
  /// The highest likeness to the tracked person's colours since the scene changed, 0 to 1.
  var likeness: Float = 0
  /// The time since the matte last showed the person.
  var lostTime = 0

  init(id: Int, x: Double, y: Double) {
    self.id = id
    (self.x, self.y, aloneX, aloneY) = (x, y, x, y)
  }

  /// Returns how much a component differs from this person alone.
  ///
  /// The sum of the distance, in square roots of the person's area, and of half of the area ratio's
  /// excess over 1. If the person was never alone, it is only the distance, in square roots of the
  /// component's area.
  func difference(x: Double, y: Double, area: Double) -> Double {
    let dx = x - (mayHavePassed ? self.x : aloneX)
    let dy = y - (mayHavePassed ? self.y : aloneY)
    guard aloneArea > 0 else { return ((dx * dx + dy * dy) / max(area, 1)).squareRoot() }
    let distance = ((dx * dx + dy * dy) / aloneArea).squareRoot()
    let ratio = max(area, 1) / aloneArea
    return distance + (max(ratio, 1 / ratio) - 1) / 2
  }

  /// Moves the person to a grid that is finer by `factor`.
  mutating func scale(by factor: Double) {
    (body, formerBody) = (nil, nil)
    (aloneX, x, speedX) = (aloneX * factor, x * factor, speedX * factor)
    (aloneY, y, speedY) = (aloneY * factor, y * factor, speedY * factor)
    (aloneArea, area) = (aloneArea * factor * factor, area * factor * factor)
  }
}
