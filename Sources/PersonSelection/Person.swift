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
  var alonePosition: SIMD2<Double>, aloneArea = 0.0
  /// The expected position, extrapolated with the last speed since the person was alone.
  var position: SIMD2<Double>
  /// The speed, in samples per tick.
  var speed = SIMD2<Double>.zero
  /// Whether the person may have passed in front of or behind another since they were alone.
  ///
  /// Touching alone does not count.
  var mayHavePassed = false
  /// The area in this matte: their part of a component if they share it, 0 if they are lost.
  var area = 0.0
  /// The order of this person and the kept one, or nil if they do not touch.
  var order: DepthOrder?
  /// The highest likeness to the tracked person's colours since the scene changed, 0 to 1.
  var likeness: Float = 0
  /// The time since the matte last showed the person.
  var lostTime = 0

  init(id: Int, position: SIMD2<Double>) {
    self.id = id
    (self.position, alonePosition) = (position, position)
  }

  /// Returns how much a component differs from this person alone.
  ///
  /// The sum of the distance, in square roots of the person's area, and of half of the area ratio's
  /// excess over 1. If the person was never alone, it is only the distance, in square roots of the
  /// component's area.
  func difference(from body: MatteBodies.Body) -> Double {
    let way = body.middle - (mayHavePassed ? position : alonePosition)
    let area = max(body.area, 1)
    let distance = ((way * way).sum() / (aloneArea > 0 ? aloneArea : area)).squareRoot()
    guard aloneArea > 0 else { return distance }
    let ratio = area / aloneArea
    return distance + (max(ratio, 1 / ratio) - 1) / 2
  }

  /// Moves the person to a grid that is finer by `factor`.
  mutating func scale(by factor: Double) {
    (body, formerBody, order) = (nil, nil, nil)
    (alonePosition, position) = (alonePosition * factor, position * factor)
    speed *= factor
    (aloneArea, area) = (aloneArea * factor * factor, area * factor * factor)
  }
}

/// Decides which of two touching people is in front: the one with the larger area.
struct DepthOrder {
  /// Whether the person occludes the kept one.
  private(set) var isOccluder: Bool
  /// Whether the decision has just changed.
  private(set) var isReversed = false
  /// How long the opposite order has been observed.
  private var reversal = Debouncer()

  /// Hysteresis: the area ratio that swaps the order.
  private static let areaMargin = 1.2
  /// How long the opposite order must last before it is adopted.
  private static let reversalTime = MatteClock.ticks(seconds: 0.15)

  /// Judges a person who begins to touch the kept one.
  init(of person: Person, and kept: Person) { isOccluder = person.area > kept.area }

  /// Judges the person again, `ticks` after the last time.
  mutating func update(_ person: Person, and kept: Person, after ticks: Int) {
    let margin = isOccluder ? 1 / Self.areaMargin : Self.areaMargin
    isReversed = reversal.record(
      (person.area > kept.area * margin) != isOccluder, after: ticks, lasts: Self.reversalTime)
    guard isReversed else { return }
    isOccluder.toggle()
    reversal.reset()
  }
}
