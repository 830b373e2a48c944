import Matting

/// Tracks the people of a matte between inferences, and chooses one of them.
///
/// A track continues in the silhouette that overlaps its previous one. When silhouettes merge, each
/// person keeps the size from when they were last alone, and their position is extrapolated. When
/// the silhouette splits, each person is matched by expected position and size.
///
/// Times are in ticks of a `MatteClock`.
struct PeopleTracker {
  /// A silhouette that may be a person.
  struct Body {
    /// Its number among the components.
    var component = 0
    /// Its middle and its area, in samples.
    var x = 0.0, y = 0.0, area = 0.0
  }

  private struct Person {
    var isKnown = false
    /// The person's body, now and in the previous inference, or nil while they are not visible.
    var body: Int?, formerBody: Int?
    /// Position and area when last alone.
    var aloneX = 0.0, aloneY = 0.0, area = 0.0
    /// The expected position, extrapolated since then from the last speed.
    var x = 0.0, y = 0.0
    /// Whether the person may have passed in front of or behind another since then.
    ///
    /// Touching alone does not count.
    var mayHavePassed = false
    /// Samples per tick.
    var speedX = 0.0, speedY = 0.0
    /// Ticks since the person was last visible.
    var missing = 0
    /// Lower for earlier people.
    var arrival = 0

    /// Returns how much a body differs from this person.
    ///
    /// The sum of the distance, in square roots of the person's area, and of half of the area
    /// ratio's excess over 1.
    func difference(from body: Body) -> Double {
      let dx = body.x - (mayHavePassed ? x : aloneX)
      let dy = body.y - (mayHavePassed ? y : aloneY)
      let distance = ((dx * dx + dy * dy) / max(area, 1)).squareRoot()
      let ratio = max(body.area, 1) / max(area, 1)
      return distance + (max(ratio, 1 / ratio) - 1) / 2
    }
  }

  /// The maximum number of people tracked.
  static let maxPeople = 8
  /// How long a person is remembered whom the network lost, for it can miss a person for half a
  /// second.
  ///
  /// A person hidden in another's silhouette is not lost.
  static let maxLapse = MatteClock.ticks(seconds: 1)
  /// The share of the speed that is left after each extrapolated tick: people usually stop to meet.
  private static let momentum = 0.985
  /// People overlap if their silhouette has less than this share of the areas that they had alone.
  private static let occlusionShare = 0.9
  /// The weight of one tick in the speed.
  private static let speedWeight = 0.25

  private(set) var bodies: [Body]
  private(set) var bodyCount = 0
  private var people = Array(repeating: Person(), count: maxPeople)
  /// Samples in which a body overlaps a former one, at `body * maxPeople + former`.
  private var overlaps = Array(repeating: 0, count: maxPeople * maxPeople)
  private var arrivals = 0
  private var followed: Int?
  private var hysteresis = Hysteresis()
  /// Ticks since the previous inference.
  private var ticks = 1

  /// Creates a tracker without people.
  init() {
    bodies = Array(repeating: Body(), count: Self.maxPeople)
  }

  /// Forgets all people.
  mutating func reset() {
    for i in people.indices { people[i] = Person() }
    bodyCount = 0
    followed = nil
    hysteresis.reset()
    arrivals = 0
  }

  /// Returns the same people for a grid that is finer by the factors `x` and `y`.
  func scaled(x: Double, y: Double) -> PeopleTracker {
    var tracker = self
    for i in people.indices {
      tracker.people[i].body = nil
      tracker.people[i].aloneX *= x
      tracker.people[i].aloneY *= y
      tracker.people[i].area *= x * y
      tracker.people[i].x *= x
      tracker.people[i].y *= y
      tracker.people[i].speedX *= x
      tracker.people[i].speedY *= y
    }
    tracker.bodyCount = 0
    return tracker
  }

  /// Forgets the choice but not the people.
  mutating func clearChoice() {
    followed = nil
    hysteresis.reset()
  }

  /// Begins an inference, `ticks` after the previous one.
  ///
  /// The bodies of the previous inference become the former ones.
  mutating func begin(after ticks: Int) {
    self.ticks = ticks
    for i in people.indices {
      people[i].formerBody = people[i].body
      people[i].body = nil
    }
    for i in overlaps.indices { overlaps[i] = 0 }
    bodyCount = 0
  }

  /// Adds a body and returns its number, or nil if there are too many.
  mutating func add(_ body: Body) -> Int? {
    guard bodyCount < Self.maxPeople else { return nil }
    bodies[bodyCount] = body
    bodyCount += 1
    return bodyCount - 1
  }

  /// Records that a body overlaps one of the previous inference by `samples`.
  mutating func overlap(_ body: Int, _ former: Int, _ samples: Int) {
    overlaps[body * Self.maxPeople + former] += samples
  }

  /// Matches all people with the bodies that were added.
  mutating func update() {
    for p in people.indices where people[p].isKnown { match(p) }
    separate()
    for b in 0..<bodyCount where headCount(b) == 0 { addTrack(b) }
    for p in people.indices where people[p].isKnown { follow(p) }
  }

  /// Chooses the person to show alone.
  ///
  /// Returns nil for `everyone`, and if nothing can be chosen. A person chosen before may be
  /// invisible for up to `maxLapse`.
  mutating func choose(_ keep: MatteSettings.Keep) -> Int? {
    switch keep {
    case .everyone: return nil
    case .tracked:
      if let followed, people[followed].isKnown { return followed }
      followed = first { $0.arrival < $1.arrival }
    case .nearest:
      let largest = first { $0.area > $1.area }
      guard let current = followed, people[current].isKnown, let largest else {
        followed = largest
        hysteresis.reset()
        return followed
      }
      let kept = people[current].body == nil ? 0 : people[current].area
      if hysteresis.isDue(largest: people[largest].area, kept: kept, after: ticks) {
        followed = largest
        hysteresis.reset()
      }
    }
    return followed
  }

  /// The body that contains a person, or nil while they are not visible.
  func body(of person: Int) -> Int? { people[person].body }

  /// Number of people in a body.
  func headCount(_ body: Int) -> Int {
    var count = 0
    for p in people.indices where people[p].isKnown && people[p].body == body { count += 1 }
    return count
  }

  /// Whether a person in a body occludes another, so that no line separates them.
  func hasOccluder(_ body: Int) -> Bool {
    bodies[body].area < Self.occlusionShare * separateArea(body)
  }

  /// The total area of the people in a body when each was last alone.
  private func separateArea(_ body: Int) -> Double {
    var area = 0.0
    for p in people.indices where people[p].isKnown && people[p].body == body {
      area += people[p].area
    }
    return area
  }

  private func first(_ precedes: (Person, Person) -> Bool) -> Int? {
    var best: Int?
    for p in people.indices where people[p].isKnown && people[p].body != nil {
      if let other = best, !precedes(people[p], people[other]) { continue }
      best = p
    }
    return best
  }

  private mutating func match(_ p: Int) {
    guard let formerBody = people[p].formerBody else { return }
    var companions = 0
    for other in people.indices
    where people[other].isKnown && people[other].formerBody == formerBody {
      companions += 1
    }
    var best: (body: Int, cost: Double)?
    for b in 0..<bodyCount {
      let overlap = overlaps[b * Self.maxPeople + formerBody]
      guard overlap > 0 else { continue }
      let cost = companions > 1 ? people[p].difference(from: bodies[b]) : -Double(overlap)
      if let found = best, found.cost <= cost { continue }
      best = (b, cost)
    }
    people[p].body = best?.body
  }

  /// Moves people so that no part of a silhouette that has split is without a person.
  private mutating func separate() {
    for b in 0..<bodyCount where headCount(b) == 0 {
      var best: (person: Int, cost: Double)?
      for p in people.indices where people[p].isKnown {
        guard let formerBody = people[p].formerBody, let chosen = people[p].body,
          overlaps[b * Self.maxPeople + formerBody] > 0
        else { continue }
        guard headCount(chosen) > 1 else { continue }
        let cost =
          people[p].difference(from: bodies[b]) - people[p].difference(from: bodies[chosen])
        if let found = best, found.cost <= cost { continue }
        best = (p, cost)
      }
      if let best { people[best.person].body = b }
    }
  }

  /// Matches a body to a person lost near it, or else adds a track.
  private mutating func addTrack(_ b: Int) {
    var best: (person: Int, cost: Double)?
    for p in people.indices where people[p].isKnown && people[p].body == nil {
      let cost = people[p].difference(from: bodies[b])
      if cost < (best?.cost ?? 1) { best = (p, cost) }
    }
    if let best {
      people[best.person].body = b
      return
    }
    var free = 0
    while free < people.count, people[free].isKnown { free += 1 }
    guard free < people.count else { return }
    people[free] = Person()
    people[free].isKnown = true
    people[free].body = b
    anchor(free, in: bodies[b])
    people[free].arrival = arrivals
    arrivals += 1
  }

  private mutating func follow(_ p: Int) {
    guard let b = people[p].body else {
      people[p].missing += ticks
      if people[p].missing > Self.maxLapse {
        people[p].isKnown = false
      } else {
        extrapolate(p)
        people[p].mayHavePassed = true
      }
      return
    }
    let wasSeen = people[p].missing == 0 && people[p].formerBody != nil
    people[p].missing = 0
    guard headCount(b) == 1 else {
      extrapolate(p)
      if hasOccluder(b) { people[p].mayHavePassed = true }
      return
    }
    let body = bodies[b]
    let isSteady = wasSeen && people[p].difference(from: body) < 0.5
    if isSteady {
      // A second inference in the same tick does not measure the speed: the tick counts from the
      // position at its beginning.
      guard ticks > 0 else {
        (people[p].aloneX, people[p].aloneY, people[p].area) = (body.x, body.y, body.area)
        people[p].mayHavePassed = false
        return
      }
      var rest = 1.0
      for _ in 0..<ticks { rest *= 1 - Self.speedWeight }
      let (dx, dy) = (body.x - people[p].x, body.y - people[p].y)
      people[p].speedX += (1 - rest) * (dx / Double(ticks) - people[p].speedX)
      people[p].speedY += (1 - rest) * (dy / Double(ticks) - people[p].speedY)
    } else {
      (people[p].speedX, people[p].speedY) = (0, 0)
    }
    anchor(p, in: body)
  }

  /// Records the position and the area of a person alone in a body.
  private mutating func anchor(_ p: Int, in body: Body) {
    (people[p].x, people[p].y, people[p].area) = (body.x, body.y, body.area)
    (people[p].aloneX, people[p].aloneY) = (body.x, body.y)
    people[p].mayHavePassed = false
  }

  private mutating func extrapolate(_ p: Int) {
    for _ in 0..<ticks {
      people[p].x += people[p].speedX
      people[p].y += people[p].speedY
      people[p].speedX *= Self.momentum
      people[p].speedY *= Self.momentum
    }
  }
}

/// Decides when `keep=nearest` changes to another person.
///
/// The other person must be clearly larger for a while, because a passer-by is soon gone.
///
/// Times are in ticks of a `MatteClock`.
struct Hysteresis {
  /// The minimum ratio of the areas.
  private static let minRatio = 1.4
  private static let holdTime = MatteClock.ticks(seconds: 0.5)

  private var time = Debouncer()

  /// Restarts the time after a change of the kept person.
  mutating func reset() { time.reset() }

  /// Whether to change to the largest person.
  ///
  /// `kept` is the area of the kept person, or 0 if they are not visible.
  mutating func isDue(largest: Double, kept: Double, after ticks: Int) -> Bool {
    time.record(largest > Self.minRatio * kept, after: ticks, lasts: Self.holdTime)
  }
}
