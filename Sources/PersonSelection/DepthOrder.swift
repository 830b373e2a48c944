import Matting

/// Decides whether a person is in front of the kept one: whether their area is larger.
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
  /// How long the opposite order must last before it is adopted.
  private static let reversalTime = MatteClock.ticks(seconds: 0.15)

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
        people[p], of: people[kept], before: known.map { decisions[$0].isOccluder })
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

  private static func isInFront(_ a: Person, of b: Person, before: Bool?) -> Bool {
    let margin = before.map { $0 ? 1 / areaMargin : areaMargin } ?? 1
    return a.area > b.area * margin
  }
}
