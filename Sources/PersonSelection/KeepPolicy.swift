import Matting

/// Chooses the person to show.
///
/// `tracked` chooses the first person and stays with them. In a new scene it chooses the person
/// with the most similar colours. `nearest` chooses the largest person, and changes only after
/// another person was clearly larger for a while, because a passer-by is soon gone.
struct KeepPolicy {
  /// The ID of the chosen person.
  private(set) var kept: Int?
  private var keep = MatteSettings.Keep.everyone
  private var change = Debouncer()
  /// The ticks for which the tracked person is still recognised by their colours.
  private var recognition = 0

  /// The minimum ratio of the areas.
  private static let minRatio = 1.4
  /// How long the other person must be larger.
  private static let holdTime = MatteClock.ticks(seconds: 0.5)
  /// How long the tracked person is recognised: the first mattes of a scene are less certain.
  private static let recognitionTime = MatteClock.ticks(seconds: 0.4)

  /// The minimum ratio of the similarities, so that people in the same clothes do not alternate.
  private static let minLikenessRatio: Float = 1.1

  /// Forgets the choice.
  ///
  /// If `recognizes`, the colours of people decide in the next mattes.
  mutating func reset(recognizes: Bool = false) {
    kept = nil
    recognition = recognizes ? Self.recognitionTime : 0
    change.reset()
  }

  /// Chooses among the known people and returns the choice's index.
  ///
  /// The chosen person may be lost for a while. Returns nil for `everyone`, and if no person is
  /// visible.
  mutating func choose(from people: [Person], keep: MatteSettings.Keep, after ticks: Int) -> Int? {
    if keep != self.keep { reset() }
    self.keep = keep
    guard keep != .everyone else { return nil }
    if isRecognizing { recognize(among: people, after: ticks) }
    guard let current = people.firstIndex(where: { $0.id == kept }) else {
      // The earliest person, or the nearest one.
      let earliest = people.firstIndex { $0.body != nil }
      let choice = keep == .tracked ? earliest : Self.nearest(of: people)
      kept = choice.map { people[$0].id }
      change.reset()
      return choice
    }
    guard keep == .nearest, let nearest = Self.nearest(of: people) else { return current }
    let isLarger = people[nearest].area > Self.minRatio * people[current].area
    guard change.record(isLarger, after: ticks, lasts: Self.holdTime) else { return current }
    kept = people[nearest].id
    change.reset()
    return nearest
  }

  /// Whether the tracked person may still be recognised by their colours.
  var isRecognizing: Bool { keep == .tracked && recognition > 0 }

  /// Chooses the visible person with the most similar colours.
  private mutating func recognize(among people: [Person], after ticks: Int) {
    let visible = people.lazy.filter { $0.body != nil }
    guard let choice = visible.max(by: { $0.likeness < $1.likeness }), choice.likeness > 0 else {
      return
    }
    recognition -= max(ticks, 1)
    let likeness = people.first { $0.id == kept }?.likeness ?? 0
    if choice.likeness > Self.minLikenessRatio * likeness { kept = choice.id }
  }

  /// Returns the visible person with the largest area.
  private static func nearest(of people: [Person]) -> Int? {
    people.indices.max { people[$0].area < people[$1].area }
      .flatMap { people[$0].body == nil ? nil : $0 }
  }
}
