import Matting
import PixelTypes

/// Tracks the people of a stream: matches the components of each matte and the faces with people.
///
/// A person with a face is in the component at that face. A person without a face continues in the
/// component that overlaps the previous one. When components merge, each person keeps the size from
/// when they were last alone, and their position is extrapolated. When the component splits, each
/// person is matched by expected position and size.
///
/// Times are in ticks of a `MatteClock`. Not thread-safe. Allocates only in `init`.
struct PersonTracker {
  /// A component that is large enough for a person, or that has a face.
  struct Body {
    /// Its number among the components.
    let component: Int
    /// The middle and the area, in samples.
    let x: Double, y: Double, area: Double
  }

  /// The sampling grid of the mattes.
  let grid: MatteGrid
  /// Ticks since the previous matte.
  private(set) var ticks = 1
  /// The known people, in order of arrival.
  private(set) var people: [Person] = []
  /// The components of the last matte that are large enough for a person, or have a face.
  private(set) var bodies: [Body] = []
  /// The components of the last matte, and of the one before.
  private(set) var components: ConnectedComponents
  private var formerComponents: ConnectedComponents
  /// The body of each component.
  private var bodyNumbers: [Int?], formerBodyNumbers: [Int?]
  /// Samples in which a component overlaps a former body, at `component * maxPeople + former`.
  private var overlaps = Array(
    repeating: 0, count: ConnectedComponents.maxCount * maxPeople)
  /// The components with faces in the last matte.
  private var faceComponents: [Int] = []
  private var rows: [BodyOutline.Row?] = []
  private var nextID = 0

  /// The maximum number of people.
  static let maxPeople = 8
  /// How long a lost person is remembered: a network can miss a person for half a second.
  private static let maxLostTime = MatteClock.ticks(seconds: 1)
  /// How long a face is remembered after its last detection.
  private static let maxTimeWithoutFace = MatteClock.ticks(seconds: 2)
  /// Faces closer than this, in widths, are the same face.
  private static let sameFaceDistance = 0.7
  /// A component may be a person without a face from the largest area divided by this.
  private static let minAreaShare = 5
  /// A person who differs more than this from their last position has no measurable speed.
  private static let maxSteadyDifference = 0.5
  /// The share of the speed that is left after each extrapolated tick: people usually stop to meet.
  private static let momentum = 0.985
  /// The weight of one tick in the speed.
  private static let speedWeight = 0.25
  /// People overlap if their component has less than this share of the areas that they had alone.
  private static let occlusionShare = 0.9

  /// Creates a tracker of people in mattes on `grid`.
  init(grid: MatteGrid) {
    self.grid = grid
    components = ConnectedComponents(width: grid.width, height: grid.height)
    formerComponents = ConnectedComponents(width: grid.width, height: grid.height)
    people.reserveCapacity(Self.maxPeople)
    bodies.reserveCapacity(Self.maxPeople)
    rows.reserveCapacity(Self.maxPeople)
    faceComponents.reserveCapacity(2 * FaceDetector.maxFaces)
    bodyNumbers = Array(repeating: nil, count: ConnectedComponents.maxCount)
    // Not a copy of `bodyNumbers`: the first write to it would allocate.
    formerBodyNumbers = Array(repeating: nil, count: ConnectedComponents.maxCount)
  }

  /// Forgets all people.
  mutating func reset() {
    people.removeAll(keepingCapacity: true)
    forgetComponents()
  }

  /// Continues with the people of another tracker, whose faces have the same numbers.
  mutating func adoptPeople(of old: PersonTracker) {
    reset()
    nextID = old.nextID
    for var person in old.people {
      person.scale(x: old.grid.stepX / grid.stepX, y: old.grid.stepY / grid.stepY)
      people.append(person)
    }
  }

  /// Matches all people with the components of `matte` and with `faces`, which are in pixels.
  ///
  /// A person who was never alone is forgotten with their face, except the one with the ID `kept`.
  /// Returns false if the matte has too many components. All people are lost then.
  mutating func update(
    _ matte: Raster<UInt8>, faces: [SeenFace], keeping kept: Int?, after ticks: Int
  ) -> Bool {
    self.ticks = ticks
    swap(&components, &formerComponents)
    swap(&bodyNumbers, &formerBodyNumbers)
    for p in people.indices {
      people[p].formerBody = people[p].body
      people[p].body = nil
    }
    guard components.find(atLeast: ComponentFilter.threshold, in: matte) else {
      forgetComponents()
      for p in people.indices {
        people[p].lostTime += ticks
        people[p].face?.missing += ticks
      }
      people.removeAll { $0.lostTime > Self.maxLostTime }
      return false
    }
    components.measure(matte)
    updateFaces(faces)
    findBodies(faces)
    for p in people.indices { people[p].body = bodyAtFace(of: people[p]) ?? match(p) }
    separate()
    for b in bodies.indices where headCount(b) == 0 { addPerson(in: b) }
    for face in faces { addFace(face) }
    for p in people.indices { follow(p) }
    people.removeAll {
      $0.lostTime > Self.maxLostTime
        || $0.aloneArea == 0 && $0.id != kept && ($0.face == nil || $0.body == nil)
    }
    measureAreas()
    return true
  }

  /// Whether two people touch, or may touch, and have faces by which they can be divided.
  ///
  /// The head and the shoulders of a person can be two components, so it is enough if the bounding
  /// boxes of their components overlap.
  func canDivide(_ a: Int, from b: Int) -> Bool {
    guard a != b, people[a].face != nil, people[b].face != nil, let body = people[a].body,
      let other = people[b].body
    else { return false }
    let (box, otherBox) = (components[bodies[body].component], components[bodies[other].component])
    return box.left < otherBox.right && otherBox.left < box.right && box.top < otherBox.bottom
      && otherBox.top < box.bottom
  }

  /// Whether a person shares a component with another from whom no faces divide them.
  func isMerged(_ p: Int) -> Bool {
    people.indices.contains {
      $0 != p && people[$0].body == people[p].body && !canDivide($0, from: p)
    }
  }

  /// Whether a person in a body occludes another, so that no line separates them.
  func hasOccluder(_ body: Int) -> Bool {
    let separateArea = people.reduce(0) { $1.body == body ? $0 + $1.aloneArea : $0 }
    return bodies[body].area < Self.occlusionShare * separateArea
  }

  /// The body of a component of the last matte, or nil if nobody is in it.
  func body(ofComponent component: Int) -> Int? { bodyNumbers[component] }

  private mutating func forgetComponents() {
    components.begin()
    formerComponents.begin()
    bodies.removeAll(keepingCapacity: true)
    for p in people.indices { (people[p].body, people[p].formerBody) = (nil, nil) }
  }

  /// Number of people in a body.
  private func headCount(_ body: Int) -> Int { people.count { $0.body == body } }

  // MARK: - Bodies

  /// Finds the bodies among the components: those of known people, then the largest first.
  private mutating func findBodies(_ faces: [SeenFace]) {
    bodies.removeAll(keepingCapacity: true)
    for i in 0..<components.count { bodyNumbers[i] = nil }
    measureOverlaps()
    for p in people.indices {
      if let known = componentAtFace(of: people[p]) ?? successor(of: people[p]) { addBody(known) }
    }
    faceComponents.removeAll(keepingCapacity: true)
    for face in faces {
      guard let position = grid.position(of: face),
        let component = components.component(at: position)
      else { continue }
      faceComponents.append(component)
    }
    var largestArea = 0
    for i in 0..<components.count { largestArea = max(largestArea, components[i].area) }
    while bodies.count < Self.maxPeople {
      var largest: Int?
      for i in 0..<components.count
      where bodyNumbers[i] == nil
        && (faceComponents.contains(i)
          || components[i].area * Self.minAreaShare >= largestArea && !isFaint(components[i]))
      {
        if let other = largest, components[other].area >= components[i].area { continue }
        largest = i
      }
      guard let largest else { break }
      addBody(largest)
    }
  }

  private mutating func measureOverlaps() {
    for i in overlaps.indices { overlaps[i] = 0 }
    components.forEachOverlap(with: formerComponents) { own, former, samples in
      guard let formerBody = formerBodyNumbers[former] else { return }
      overlaps[own * Self.maxPeople + formerBody] += samples
    }
  }

  /// Returns the number of samples in which a component overlaps a former body.
  private func overlap(of component: Int, with formerBody: Int) -> Int {
    overlaps[component * Self.maxPeople + formerBody]
  }

  /// Returns the component that overlaps the former body of a person most.
  private func successor(of person: Person) -> Int? {
    guard let formerBody = person.formerBody else { return nil }
    var best: Int?
    for i in 0..<components.count where overlap(of: i, with: formerBody) > 0 {
      if let other = best,
        overlap(of: other, with: formerBody) >= overlap(of: i, with: formerBody)
      {
        continue
      }
      best = i
    }
    return best
  }

  /// Whether a component may be an object that a network is unsure about in an empty room.
  private func isFaint(_ component: ConnectedComponents.Component) -> Bool {
    component.area * ComponentFilter.minPersonShare < grid.width * grid.height
      && component.mean < ComponentFilter.minSureMean
  }

  private mutating func addBody(_ component: Int) {
    guard bodyNumbers[component] == nil, bodies.count < Self.maxPeople else { return }
    let box = components[component]
    bodyNumbers[component] = bodies.count
    bodies.append(
      Body(
        component: component, x: Double(box.left + box.right) / 2,
        y: Double(box.top + box.bottom) / 2, area: Double(box.area)))
  }

  private func difference(_ person: Person, _ body: Int) -> Double {
    person.difference(x: bodies[body].x, y: bodies[body].y, area: bodies[body].area)
  }

  /// Returns the body of a person who was in a former body.
  private func match(_ p: Int) -> Int? {
    guard let formerBody = people[p].formerBody else { return nil }
    let companions = people.count { $0.formerBody == formerBody }
    var best: (body: Int, cost: Double)?
    for b in bodies.indices {
      let overlap = overlap(of: bodies[b].component, with: formerBody)
      guard overlap > 0 else { continue }
      let cost = companions > 1 ? difference(people[p], b) : -Double(overlap)
      if let found = best, found.cost <= cost { continue }
      best = (b, cost)
    }
    return best?.body
  }

  /// Moves people so that no part of a component that has split is without a person.
  private mutating func separate() {
    for b in bodies.indices where headCount(b) == 0 {
      var best: (person: Int, cost: Double)?
      for p in people.indices where people[p].face?.missing != 0 {
        guard let formerBody = people[p].formerBody, let chosen = people[p].body,
          overlap(of: bodies[b].component, with: formerBody) > 0, headCount(chosen) > 1
        else { continue }
        let cost = difference(people[p], b) - difference(people[p], chosen)
        if let found = best, found.cost <= cost { continue }
        best = (p, cost)
      }
      if let best { people[best.person].body = b }
    }
  }

  /// Matches a body without people to a lost person near it, or else adds a person.
  private mutating func addPerson(in b: Int) {
    var best: (person: Int, cost: Double)?
    for p in people.indices where people[p].body == nil {
      let cost = difference(people[p], b)
      if cost < (best?.cost ?? 1) { best = (p, cost) }
    }
    if let best {
      people[best.person].body = b
    } else {
      addPerson(Person(id: nextID, x: bodies[b].x, y: bodies[b].y), in: b)
    }
  }

  private mutating func addPerson(_ person: Person, in body: Int) {
    guard people.count < Self.maxPeople else { return }
    var person = person
    person.body = body
    nextID += 1
    people.append(person)
  }

  // MARK: - Faces

  /// Updates the faces of people, and forgets those that are gone.
  private mutating func updateFaces(_ faces: [SeenFace]) {
    for p in people.indices {
      guard var face = people[p].face else { continue }
      if let seen = faces.first(where: { $0.id == face.id }), let body = grid.position(of: seen) {
        (face.body, face.missing) = (body, 0)
      } else {
        face.missing += ticks
      }
      people[p].face = face
    }
    for p in people.indices {
      guard let face = people[p].face, face.missing > 0 else { continue }
      if let seen = faces.first(where: { isSame(face, $0) }), let body = grid.position(of: seen) {
        // The face was detected again with another number, or the face of another person covers it.
        let isOthers = people.contains { $0.face?.id == seen.id }
        people[p].face = isOthers ? nil : Person.Face(id: seen.id, body: body)
      } else if face.missing > Self.maxTimeWithoutFace
        || components.component(at: face.body) == nil
      {
        // The matte shows no person at a place that a person has left.
        people[p].face = nil
      }
    }
  }

  private func isSame(_ face: Person.Face, _ seen: SeenFace) -> Bool {
    guard let body = grid.position(of: seen) else { return false }
    let (dx, dy) = (body.x - face.body.x, body.y - face.body.y)
    let reach = Self.sameFaceDistance * max(body.width, face.body.width)
    return dx * dx + dy * dy < reach * reach
  }

  /// Gives a new face to a person without one in the same component, or adds a person.
  private mutating func addFace(_ face: SeenFace) {
    guard !people.contains(where: { $0.face?.id == face.id }),
      let position = grid.position(of: face),
      let component = components.component(at: position),
      let body = bodyNumbers[component]
    else { return }
    let own = Person.Face(id: face.id, body: position)
    var nearest: Int?
    // The face of a newcomer is beyond the shoulders of the others.
    var minDistance = BodyOutline.maxHalfWidth * position.width
    for p in people.indices where people[p].body == body && people[p].face == nil {
      let distance = abs(people[p].x - position.x)
      if distance < minDistance { (nearest, minDistance) = (p, distance) }
    }
    if let nearest {
      people[nearest].face = own
    } else {
      var person = Person(id: nextID, x: position.x, y: position.y)
      person.face = own
      addPerson(person, in: body)
    }
  }

  private func bodyAtFace(of person: Person) -> Int? {
    componentAtFace(of: person).flatMap { bodyNumbers[$0] }
  }

  private func componentAtFace(of person: Person) -> Int? {
    guard let face = person.face, face.missing == 0 else { return nil }
    return components.component(at: face.body)
  }

  // MARK: - Positions

  private mutating func follow(_ p: Int) {
    guard let b = people[p].body else {
      people[p].lostTime += ticks
      extrapolate(p)
      people[p].mayHavePassed = true
      return
    }
    let wasSeen = people[p].lostTime == 0 && people[p].formerBody != nil
    people[p].lostTime = 0
    guard headCount(b) == 1 else {
      extrapolate(p)
      if hasOccluder(b) { people[p].mayHavePassed = true }
      return
    }
    let body = bodies[b]
    let isSteady = wasSeen && difference(people[p], b) < Self.maxSteadyDifference
    if !isSteady {
      (people[p].speedX, people[p].speedY) = (0, 0)
    } else if ticks > 0 {
      var rest = 1.0
      for _ in 0..<ticks { rest *= 1 - Self.speedWeight }
      let (dx, dy) = (body.x - people[p].x, body.y - people[p].y)
      people[p].speedX += (1 - rest) * (dx / Double(ticks) - people[p].speedX)
      people[p].speedY += (1 - rest) * (dy / Double(ticks) - people[p].speedY)
    }
    people[p].aloneX = body.x
    people[p].aloneY = body.y
    people[p].aloneArea = body.area
    people[p].mayHavePassed = false
    // A second matte in the same tick does not measure the speed: the tick counts from the position
    // at its beginning.
    if !isSteady || ticks > 0 { (people[p].x, people[p].y) = (body.x, body.y) }
  }

  private mutating func extrapolate(_ p: Int) {
    for _ in 0..<ticks {
      people[p].x += people[p].speedX
      people[p].y += people[p].speedY
      people[p].speedX *= Self.momentum
      people[p].speedY *= Self.momentum
    }
  }

  // MARK: - Areas

  /// Measures the areas of the people.
  ///
  /// Assigns each sample of a component with several people to the nearest body outline.
  private mutating func measureAreas() {
    for p in people.indices { people[p].area = people[p].body == nil ? 0 : people[p].aloneArea }
    for b in bodies.indices where people.count(where: { $0.body == b && $0.face != nil }) > 1 {
      measureAreas(of: b)
    }
  }

  private mutating func measureAreas(of body: Int) {
    let component = bodies[body].component
    let box = components[component]
    for p in people.indices where people[p].body == body && people[p].face != nil {
      people[p].area = 0
    }
    for y in box.top..<box.bottom {
      rows.removeAll(keepingCapacity: true)
      for person in people {
        let face = person.body == body ? person.face : nil
        rows.append(face.map { BodyOutline.front.row(y, of: $0.body) })
      }
      for i in components.runs(inRow: y) where components.component(of: i) == component {
        let run = components.run(i)
        for x in Int(run.first)..<Int(run.end) {
          var nearest: (person: Int, distance: Float)?
          for p in rows.indices {
            guard let distance = rows[p]?.distance(x) else { continue }
            if distance < nearest?.distance ?? .infinity { nearest = (p, distance) }
          }
          if let nearest { people[nearest.person].area += 1 }
        }
      }
    }
  }
}
