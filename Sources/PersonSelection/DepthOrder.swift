import Matting

/// Decides whether a person is in front of the kept one.
///
/// These rules are tried in this order:
///
/// 1. If the middle of a face is beyond the left or right edge of the frame, the last decision is
///    kept.
/// 2. If a face reaches beyond that edge, too little of the person is visible to compare areas. The
///    person is in front if the face is much wider than the other.
/// 3. Otherwise the person with the larger area is in front.
struct DepthOrder {
  /// The decision about a person.
  private struct Decision {
    let id: Int
    var isOccluder: Bool
    /// Whether the decision has just changed.
    var isReversed = false
    /// How long the opposite order has been observed.
    var reversal = Debouncer()
  }

  /// The people who touch the kept one.
  private var decisions: [Decision] = []

  /// Hysteresis: the area ratio that swaps the order.
  private static let areaMargin = 1.2
  /// The ratio of widths at which a face at the left or right edge is in front, or stays in front.
  ///
  /// A face that turns away looks narrower, so the second ratio is lower.
  private static let frontRatio = 1.55, minFrontRatio = 1.45
  /// A face is at an edge that is closer to its middle than `edgeReach`, in face widths.
  ///
  /// A person in front stays at the edge up to `maxEdgeReach`.
  private static let edgeReach = 0.5, maxEdgeReach = 0.75
  /// How long the opposite order must last before it is adopted.
  private static let reversalTime = MatteClock.ticks(seconds: 0.15)

  /// Creates an order without people.
  init() { decisions.reserveCapacity(PersonTracker.maxPeople) }

  /// Forgets all decisions, because another person is kept.
  mutating func reset() { decisions.removeAll(keepingCapacity: true) }

  /// Judges which of the people who touch the kept one occlude them.
  ///
  /// `kept` is an index of the tracker's people. A change must last for `reversalTime`.
  mutating func update(of kept: Int, in tracker: PersonTracker) {
    let people = tracker.people
    decisions.removeAll { decision in
      !people.indices.contains {
        people[$0].id == decision.id && tracker.canDivide($0, from: kept)
      }
    }
    for p in people.indices where tracker.canDivide(p, from: kept) {
      let known = decisions.firstIndex { $0.id == people[p].id }
      let isInFront = Self.isInFront(
        people[p], of: people[kept], width: Double(tracker.grid.width),
        before: known.map { decisions[$0].isOccluder })
      guard let known else {
        decisions.append(Decision(id: people[p].id, isOccluder: isInFront))
        continue
      }
      decisions[known].isReversed = decisions[known].reversal.record(
        isInFront != decisions[known].isOccluder, after: tracker.ticks, lasts: Self.reversalTime)
      if decisions[known].isReversed {
        decisions[known].isOccluder = isInFront
        decisions[known].reversal.reset()
      }
    }
  }

  /// Whether a person occludes the kept one, or nil if they do not touch.
  func isOccluder(_ person: Person) -> Bool? {
    decisions.first { $0.id == person.id }?.isOccluder
  }

  /// Whether the decision about a person has just changed.
  func isReversed(_ person: Person) -> Bool {
    decisions.contains { $0.id == person.id && $0.isReversed }
  }

  private static func isInFront(
    _ a: Person, of b: Person, width: Double, before: Bool?
  ) -> Bool {
    if let face = a.face, let other = b.face,
      let isInFront = faceAtEdgeIsInFront(face, of: other, width, before: before)
    {
      return isInFront
    }
    let margin = before.map { $0 ? 1 / areaMargin : areaMargin } ?? 1
    return a.area > b.area * margin
  }

  /// Decides by the widths of the faces, as in the first two rules.
  private static func faceAtEdgeIsInFront(
    _ a: Person.Face, of b: Person.Face, _ width: Double, before: Bool?
  ) -> Bool? {
    // Negative beyond the edge.
    func distanceToEdge(_ face: Person.Face) -> Double {
      min(face.position.x, width - face.position.x)
    }
    func isAtEdge(_ face: Person.Face, andWiderThan other: Person.Face, before: Bool) -> Bool {
      distanceToEdge(face) < (before ? maxEdgeReach : edgeReach) * face.position.width
        && face.position.width > (before ? minFrontRatio : frontRatio) * other.position.width
    }
    // The width of a face with a hidden middle is a guess.
    func isMiddleHidden(_ face: Person.Face) -> Bool {
      face.isCurrent && distanceToEdge(face) < 0
    }
    if isMiddleHidden(a) || isMiddleHidden(b) { return before }
    if isAtEdge(a, andWiderThan: b, before: before == true) { return true }
    if isAtEdge(b, andWiderThan: a, before: before == false) { return false }
    return nil
  }
}
