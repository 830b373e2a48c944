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
  /// A face of this frame.
  private struct FoundFace {
    let face: Face
    /// The position on the grid.
    let position: FacePosition
    /// The component at the face, or nil if the matte shows no person there.
    let component: Int?
    /// The person with this face, or nil if it is new.
    var owner: Int?
  }

  /// The sampling grid of the mattes.
  let grid: MatteGrid
  /// Ticks since the previous matte.
  private(set) var ticks = 1
  /// The known people, in order of arrival.
  private(set) var people: [Person] = []
  /// The components of the last matte that may contain people.
  private(set) var bodies: MatteBodies
  private var faces: [FoundFace] = []
  private var rows: [BodyOutline.Row?] = []
  private var nextID = 0

  /// The maximum number of people.
  static let maxPeople = MatteBodies.maxCount
  /// How long a lost person is remembered: a network can miss a person for half a second.
  private static let maxLostTime = MatteClock.ticks(seconds: 1)
  /// How long a face is remembered after its last detection.
  private static let maxTimeWithoutFace = MatteClock.ticks(seconds: 2)
  /// Faces closer than this, in widths, are the same face.
  private static let sameFaceDistance = 0.7
  /// The speed is not measured if a component differs more than this from the person's last one.
  private static let maxSteadyDifference = 0.5
  /// The share of the speed that is left after each extrapolated tick: people usually stop to meet.
  private static let momentum = 0.985
  /// The weight of one tick in the speed.
  private static let speedWeight = 0.25
  /// People overlap if their component has less than this share of the areas that they had alone.
  private static let occlusionShare = 0.9

  init(grid: MatteGrid) {
    self.grid = grid
    bodies = MatteBodies(grid: grid)
    people.reserveCapacity(Self.maxPeople)
    rows.reserveCapacity(Self.maxPeople)
    faces.reserveCapacity(2 * FaceDetector.maxFaces)
  }

  mutating func reset() {
    people.removeAll(keepingCapacity: true)
    bodies.reset()
  }

  /// Continues with the people of another tracker, for the same frames.
  mutating func adoptPeople(of old: PersonTracker) {
    reset()
    nextID = old.nextID
    for var person in old.people {
      person.scale(by: old.grid.step / grid.step)
      people.append(person)
    }
  }

  /// Matches all people with the components of `matte` and with `faces`, which are in pixels.
  ///
  /// Forgets a person without a face if they were never alone, except the one with the ID `kept`.
  /// Returns false if the matte has too many components. All people are lost then.
  mutating func update(
    _ matte: Raster<UInt8>, faces: [Face], keeping kept: Int?, after ticks: Int
  ) -> Bool {
    self.ticks = ticks
    guard bodies.find(in: matte) else {
      for p in people.indices {
        people[p].body = nil
        people[p].lostTime += ticks
        people[p].face?.missing += ticks
      }
      people.removeAll { $0.lostTime > Self.maxLostTime }
      return false
    }
    for p in people.indices {
      people[p].formerBody = people[p].body
      people[p].body = nil
    }
    locate(faces)
    updateFaces()
    findBodies()
    for p in people.indices {
      let atFace = people[p].face?.component.flatMap { bodies.number(ofComponent: $0) }
      people[p].body = atFace ?? match(p)
    }
    separate()
    for b in bodies.all.indices where headCount(b) == 0 { addPerson(in: b) }
    for face in self.faces { addFace(face) }
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
    return bodies.boxesOverlap(body, other)
  }

  /// Judges which of the people who touch the person with the index `kept` occlude them.
  mutating func judgeDepth(of kept: Int) {
    for p in people.indices {
      if !canDivide(p, from: kept) {
        people[p].order = nil
      } else if var order = people[p].order {
        order.update(people[p], and: people[kept], after: ticks)
        people[p].order = order
      } else {
        people[p].order = DepthOrder(of: people[p], and: people[kept])
      }
    }
  }

  /// Forgets all depth orders, because another person is kept.
  mutating func forgetDepth() {
    for p in people.indices { people[p].order = nil }
  }

  /// Whether a person shares a component with another, without two faces that divide them.
  func isMerged(_ p: Int) -> Bool {
    guard let body = people[p].body else { return false }
    return people.indices.contains {
      $0 != p && people[$0].body == body && !canDivide($0, from: p)
    }
  }

  /// Whether a person in a body occludes another, so that no line separates them.
  func hasOccluder(_ body: Int) -> Bool {
    let separateArea = people.reduce(0) { $1.body == body ? $0 + $1.aloneArea : $0 }
    return bodies.all[body].area < Self.occlusionShare * separateArea
  }

  /// Number of people in a body.
  private func headCount(_ body: Int) -> Int { people.count { $0.body == body } }

  // MARK: - Bodies

  /// Finds the bodies: first the bodies of known people, then the largest components.
  private mutating func findBodies() {
    for person in people {
      let known =
        person.face?.component ?? person.formerBody.flatMap { bodies.successor(ofFormer: $0) }
      if let known { bodies.add(known) }
    }
    bodies.addLargest { component in faces.contains { $0.component == component } }
  }

  private func difference(_ p: Int, _ body: Int) -> Double {
    people[p].difference(from: bodies.all[body])
  }

  /// Returns the body that continues the former body of a person, or nil without an overlap.
  private func match(_ p: Int) -> Int? {
    guard let formerBody = people[p].formerBody else { return nil }
    let companions = people.count { $0.formerBody == formerBody }
    func cost(_ body: Int) -> Double {
      let overlap = bodies.overlap(of: body, withFormer: formerBody)
      if overlap == 0 { return .infinity }
      return companions > 1 ? difference(p, body) : -Double(overlap)
    }
    return bodies.all.indices.min { cost($0) < cost($1) }
      .flatMap { cost($0) < .infinity ? $0 : nil }
  }

  /// Moves people so that no part of a component that has split is without a person.
  private mutating func separate() {
    for b in bodies.all.indices where headCount(b) == 0 {
      var best: (person: Int, cost: Double)?
      for p in people.indices where people[p].face?.isCurrent != true {
        guard let formerBody = people[p].formerBody, let chosen = people[p].body,
          bodies.overlap(of: b, withFormer: formerBody) > 0, headCount(chosen) > 1
        else { continue }
        let cost = difference(p, b) - difference(p, chosen)
        if cost < best?.cost ?? .infinity { best = (p, cost) }
      }
      if let best { people[best.person].body = b }
    }
  }

  /// Matches a body without people to a lost person near it, or else adds a person.
  private mutating func addPerson(in b: Int) {
    var best: (person: Int, cost: Double)?
    for p in people.indices where people[p].body == nil {
      let cost = difference(p, b)
      if cost < (best?.cost ?? 1) { best = (p, cost) }
    }
    if let best {
      people[best.person].body = b
    } else {
      addPerson(Person(id: nextID, position: bodies.all[b].middle), in: b)
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

  /// Places faces on the grid, without those at positions that are not finite.
  private mutating func locate(_ seen: [Face]) {
    faces.removeAll(keepingCapacity: true)
    for face in seen {
      guard let position = grid.position(of: face.box) else { continue }
      let component = bodies.components.component(at: position)
      faces.append(FoundFace(face: face, position: position, component: component))
    }
  }

  /// Matches the faces with known faces, the best pair first, and forgets faces that are gone.
  private mutating func updateFaces() {
    let seconds = Float(ticks) * MatteClock.secondsPerTick
    for p in people.indices { people[p].face?.missing += ticks }
    for isCurrent in [true, false] {
      while let (p, f) = nearestFace(isCurrent: isCurrent, after: seconds) {
        faces[f].owner = p
        people[p].face?.missing = 0
        // A second matte in the same tick does not measure the speed.
        if ticks > 0 { people[p].face?.smoothed.add(faces[f].face, after: seconds) }
      }
    }
    for p in people.indices {
      guard var face = people[p].face else { continue }
      if face.missing > 0 { face.smoothed.coast(for: seconds) }
      if let position = grid.position(of: face.smoothed.face.box) { face.position = position }
      face.component = face.isCurrent ? bodies.components.component(at: face.position) : nil
      people[p].face = isGone(face) ? nil : face
    }
  }

  /// Returns the nearest pair of a person without a matched face and a face without an owner.
  ///
  /// Current faces come first, because the positions of the others are uncertain.
  private func nearestFace(isCurrent: Bool, after seconds: Float) -> (person: Int, face: Int)? {
    var best: (person: Int, face: Int)?
    var minDistance = SmoothedFace.maxDistance
    for p in people.indices {
      guard let face = people[p].face, face.isCurrent == isCurrent,
        !faces.contains(where: { $0.owner == p })
      else { continue }
      for f in faces.indices where faces[f].owner == nil {
        let distance = face.smoothed.distance(to: faces[f].face, after: seconds)
        if distance < minDistance { (best, minDistance) = ((p, f), distance) }
      }
    }
    return best
  }

  /// Whether a face is missing for good: it is too old, or the face of another person covers it, or
  /// the matte shows no person there.
  private func isGone(_ face: Person.Face) -> Bool {
    guard !face.isCurrent else { return false }
    return face.missing > Self.maxTimeWithoutFace
      || faces.contains { $0.owner != nil && isSame(face, $0) }
      || bodies.components.component(at: face.position) == nil
  }

  private func isSame(_ face: Person.Face, _ found: FoundFace) -> Bool {
    let (dx, dy) = (found.position.x - face.position.x, found.position.y - face.position.y)
    let reach = Self.sameFaceDistance * max(found.position.width, face.position.width)
    return dx * dx + dy * dy < reach * reach
  }

  /// Gives a new face to a person without one in the same component, or adds a person.
  private mutating func addFace(_ face: FoundFace) {
    guard face.owner == nil, let component = face.component,
      let body = bodies.number(ofComponent: component)
    else { return }
    let own = Person.Face(smoothed: SmoothedFace(face.face), position: face.position)
    var nearest: Int?
    // The face of a newcomer is beyond the shoulders of the others.
    var minDistance = BodyOutline.maxHalfWidth * face.position.width
    for p in people.indices where people[p].body == body && people[p].face == nil {
      let distance = abs(people[p].position.x - face.position.x)
      if distance < minDistance { (nearest, minDistance) = (p, distance) }
    }
    if let nearest {
      people[nearest].face = own
    } else {
      var person = Person(id: nextID, position: SIMD2(face.position.x, face.position.y))
      person.face = own
      addPerson(person, in: body)
    }
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
    let body = bodies.all[b]
    let isSteady = wasSeen && difference(p, b) < Self.maxSteadyDifference
    if !isSteady {
      people[p].speed = .zero
    } else if ticks > 0 {
      var rest = 1.0
      for _ in 0..<ticks { rest *= 1 - Self.speedWeight }
      let step = (body.middle - people[p].position) / Double(ticks)
      people[p].speed += (1 - rest) * (step - people[p].speed)
    }
    (people[p].alonePosition, people[p].aloneArea) = (body.middle, body.area)
    people[p].mayHavePassed = false
    // A second matte in the same tick does not measure the speed: the tick counts from the position
    // at its beginning.
    if !isSteady || ticks > 0 { people[p].position = body.middle }
  }

  private mutating func extrapolate(_ p: Int) {
    for _ in 0..<ticks {
      people[p].position += people[p].speed
      people[p].speed *= Self.momentum
    }
  }

  // MARK: - Areas

  /// Measures the areas of the people.
  ///
  /// Assigns each sample of a component with several people to the nearest body outline.
  private mutating func measureAreas() {
    for p in people.indices { people[p].area = people[p].body == nil ? 0 : people[p].aloneArea }
    for b in bodies.all.indices where people.count(where: { $0.body == b && $0.face != nil }) > 1 {
      // As many as `maxPeople`.
      var areas = InlineArray<8, Int>(repeating: 0)
      forEachSample(of: b) { person, _, _ in areas[person] += 1 }
      for p in people.indices where people[p].body == b && people[p].face != nil {
        people[p].area = Double(areas[p])
      }
    }
  }

  /// Calls `visit` with each sample of a body and its person: the one with the nearest outline.
  private mutating func forEachSample(
    of body: Int, _ visit: (_ person: Int, _ x: Int, _ y: Int) -> Void
  ) {
    let (component, components) = (bodies.all[body].component, bodies.components)
    let single = headCount(body) == 1 ? people.firstIndex { $0.body == body } : nil
    for y in components[component].top..<components[component].bottom {
      rows.removeAll(keepingCapacity: true)
      for person in people {
        let face = person.body == body ? person.face : nil
        rows.append(face.map { BodyOutline.front.row(y, of: $0.position) })
      }
      for i in components.runs(inRow: y) where components.run(i).component == component {
        for x in components.run(i).columns {
          var nearest: (person: Int?, distance: Float) = (single, .infinity)
          for p in rows.indices where single == nil {
            guard let distance = rows[p]?.distance(x) else { continue }
            if distance < nearest.distance { nearest = (p, distance) }
          }
          if let person = nearest.person { visit(person, x, y) }
        }
      }
    }
  }

  // MARK: - Colours

  /// Compares the colours of each visible person with the tracked person's colours.
  mutating func compareColors(with colors: PersonColors, in picture: Frame) {
    for p in people.indices {
      guard let body = people[p].body else { continue }
      colors.begin()
      forEachSample(of: body) { person, x, y in
        if person == p { colors.add(x, y, of: picture) }
      }
      people[p].likeness = max(people[p].likeness, colors.likeness)
    }
  }
}
