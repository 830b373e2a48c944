import Matting

/// Knows the people of the matte again from inference to inference, and chooses one of them.
///
/// Time is given in the ticks of a `MatteClock`.
///
/// A person goes on in the silhouette that lies where theirs lay. People whose silhouettes have
/// become one are remembered as they last were alone, moving on as they moved; when the silhouette
/// comes apart each is sought where they are expected and in their size.
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
    /// In which body, and in which one of the inference before; nil while not to be seen.
    var body: Int?, home: Int?
    /// As they were when last alone.
    var aloneX = 0.0, aloneY = 0.0, area = 0.0
    /// Where they must be if they have moved on since as they moved then.
    var x = 0.0, y = 0.0
    /// Whether they may have passed another since, one behind the other: people who only touch do
    /// not.
    var mayHavePassed = false
    /// Samples a tick.
    var speedX = 0.0, speedY = 0.0
    /// Ticks since they were last seen.
    var missing = 0
    /// The lower, the earlier they came.
    var arrival = 0

    /// How little a body looks like this person: in sizes of theirs, and in doublings of the area.
    func difference(from body: Body) -> Double {
      let dx = body.x - (mayHavePassed ? x : aloneX)
      let dy = body.y - (mayHavePassed ? y : aloneY)
      let distance = ((dx * dx + dy * dy) / max(area, 1)).squareRoot()
      let ratio = max(body.area, 1) / max(area, 1)
      return distance + (max(ratio, 1 / ratio) - 1) / 2
    }
  }

  /// More people than that are not told apart.
  static let most = 8
  /// For so long a person who is gone is waited for: a network may lose a person for half a second.
  static let patience = MatteClock.ticks(seconds: 1)
  /// The share of the speed that is left after a tick unseen: people who meet stand still.
  private static let momentum = 0.985
  /// A silhouette of less than this share of what its people had alone is of some who hide others.
  private static let hidingShare = 0.9
  /// The weight of a tick in the speed.
  private static let speedWeight = 0.25

  private(set) var bodies: [Body]
  private(set) var bodyCount = 0
  private var people = Array(repeating: Person(), count: most)
  /// By how many samples a body, times `most`, and one of the inference before overlap.
  private var overlaps = Array(repeating: 0, count: most * most)
  private var arrivals = 0
  private var followed: Int?
  private var hysteresis = Hysteresis()
  /// Ticks since the inference before.
  private var ticks = 1

  /// Knows no people yet.
  init() {
    bodies = Array(repeating: Body(), count: Self.most)
  }

  /// Forgets all people.
  mutating func reset() {
    for i in people.indices { people[i] = Person() }
    bodyCount = 0
    followed = nil
    hysteresis.reset()
    arrivals = 0
  }

  /// The same people, to be sought among bodies whose samples are so much nearer to each other.
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

  /// Forgets who is followed, for another is wanted.
  mutating func clearChoice() {
    followed = nil
    hysteresis.reset()
  }

  /// Begins an inference, so many ticks after the last: the bodies of that are where people were.
  mutating func begin(after ticks: Int) {
    self.ticks = ticks
    for i in people.indices {
      people[i].home = people[i].body
      people[i].body = nil
    }
    for i in overlaps.indices { overlaps[i] = 0 }
    bodyCount = 0
  }

  /// Adds a body; returns its number, or nil when there are too many.
  mutating func add(_ body: Body) -> Int? {
    guard bodyCount < Self.most else { return nil }
    bodies[bodyCount] = body
    bodyCount += 1
    return bodyCount - 1
  }

  /// A body overlaps one of the inference before by so many samples.
  mutating func overlap(_ body: Int, _ former: Int, _ samples: Int) {
    overlaps[body * Self.most + former] += samples
  }

  /// Finds all people in the bodies that were added.
  mutating func update() {
    for p in people.indices where people[p].isKnown { findAgain(p) }
    separate()
    for b in 0..<bodyCount where headCount(b) == 0 { welcome(b) }
    for p in people.indices where people[p].isKnown { follow(p) }
  }

  /// The person to be shown alone; nil when none is to be seen.
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

  /// The body in which a person is; nil while they are not to be seen.
  func body(of person: Int) -> Int? { people[person].body }

  /// Number of people in a body.
  func headCount(_ body: Int) -> Int {
    var count = 0
    for p in people.indices where people[p].isKnown && people[p].body == body { count += 1 }
    return count
  }

  /// Whether one of the people in a body stands before another, so that no line parts them.
  func hidesSomeone(_ body: Int) -> Bool {
    bodies[body].area < Self.hidingShare * loneArea(body)
  }

  /// The area that the people in a body had when each was last alone.
  private func loneArea(_ body: Int) -> Double {
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

  private mutating func findAgain(_ p: Int) {
    guard let home = people[p].home else { return }
    var companions = 0
    for other in people.indices where people[other].isKnown && people[other].home == home {
      companions += 1
    }
    var best: (body: Int, cost: Double)?
    for b in 0..<bodyCount {
      let overlap = overlaps[b * Self.most + home]
      guard overlap > 0 else { continue }
      let cost = companions > 1 ? people[p].difference(from: bodies[b]) : -Double(overlap)
      if let found = best, found.cost <= cost { continue }
      best = (b, cost)
    }
    people[p].body = best?.body
  }

  /// Where people who were in one body have come apart, no part is left without one of them.
  private mutating func separate() {
    for b in 0..<bodyCount where headCount(b) == 0 {
      var best: (person: Int, cost: Double)?
      for p in people.indices where people[p].isKnown {
        guard let home = people[p].home, let chosen = people[p].body,
          overlaps[b * Self.most + home] > 0
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

  /// A person has come, or has come back to where they were lost.
  private mutating func welcome(_ b: Int) {
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
    stand(free, in: bodies[b])
    people[free].arrival = arrivals
    arrivals += 1
  }

  private mutating func follow(_ p: Int) {
    guard let b = people[p].body else {
      people[p].missing += ticks
      if people[p].missing > Self.patience {
        people[p].isKnown = false
      } else {
        moveOn(p)
        people[p].mayHavePassed = true
      }
      return
    }
    let wasSeen = people[p].missing == 0 && people[p].home != nil
    people[p].missing = 0
    guard headCount(b) == 1 else {
      moveOn(p)
      if hidesSomeone(b) { people[p].mayHavePassed = true }
      return
    }
    let body = bodies[b]
    let isSteady = wasSeen && people[p].difference(from: body) < 0.5
    if isSteady {
      // Of two inferences in a tick the second says nothing about the speed: the tick is measured from
      // where they were at its beginning.
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
    stand(p, in: body)
  }

  /// A person is alone in a body.
  private mutating func stand(_ p: Int, in body: Body) {
    (people[p].x, people[p].y, people[p].area) = (body.x, body.y, body.area)
    (people[p].aloneX, people[p].aloneY) = (body.x, body.y)
    people[p].mayHavePassed = false
  }

  private mutating func moveOn(_ p: Int) {
    for _ in 0..<ticks {
      people[p].x += people[p].speedX
      people[p].y += people[p].speedY
      people[p].speedX *= Self.momentum
      people[p].speedY *= Self.momentum
    }
  }
}
