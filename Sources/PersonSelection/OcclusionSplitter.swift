import Matting
import PixelTypes

/// Divides a matte between people with known faces, and keeps the part of one person.
///
/// Touching people share one silhouette. The splitter decides as follows which of two people is in
/// front:
///
/// - If the middle of a face is beyond the left or right edge of the frame, the last decision is
///   kept.
/// - If a face reaches beyond that edge, too little of the person is visible to compare areas. The
///   person is in front if the face is much wider than the other.
/// - If the faces overlap and neither person has twice the area of the other, the person whose face
///   has the clearly higher score is in front.
/// - Otherwise the person with the larger area is in front.
///
/// Times are in ticks of a `MatteClock`. Not thread-safe. Allocates only for its first matte.
final class OcclusionSplitter {
  private struct Person {
    let id: Int
    var body: BodyOutline.Body
    /// The confidence of the network in the face, 0 to 1.
    var score: Double
    /// The person's area in the matte, in samples.
    var area = 0
    /// Ticks since the face was detected.
    var missing = 0
    /// Whether the person occludes the kept one, or nil until that is judged.
    var isOccluder: Bool?
    /// How long the opposite depth order has been observed.
    var reversal = Debouncer()
  }

  /// The maximum number of people tracked.
  private static let maxPeople = PeopleTracker.maxPeople
  /// How long a person is remembered after their face was last detected.
  private static let maxTimeWithoutFace = MatteClock.ticks(seconds: 2)
  /// Faces closer than this, in widths, are the same face.
  private static let sameFaceDistance = 0.7
  /// Hysteresis: the area ratio that swaps the depth order.
  private static let frontMargin = 1.2
  /// Faces overlap if their middles are closer than this, in mean face widths.
  private static let overlapDistance = 0.9
  /// The difference of scores that decides the depth order: an occluded face scores lower.
  private static let scoreMargin = 0.1
  /// Scores are compared only if the ratio of the areas is below this.
  ///
  /// A person with a larger area is in front regardless of score, because a turned face also scores
  /// low.
  private static let maxAreaRatio = 2.0
  /// The ratio of widths at which a face at the left or right edge is in front, or stays in front.
  ///
  /// A face that turns away looks narrower, so the second ratio is lower.
  private static let frontRatio = 1.55, minFrontRatio = 1.45
  /// A face is at an edge that is closer to its middle than `edgeReach`, in face widths.
  ///
  /// A person in front stays at the edge up to `maxEdgeReach`.
  private static let edgeReach = 0.5, maxEdgeReach = 0.75
  /// How long the opposite depth order must last before it is adopted.
  private static let reversalTime = MatteClock.ticks(seconds: 0.15)
  /// The ownership in the previous matte is used up to this age.
  private static let maxPastAge = MatteClock.ticks(seconds: 0.5)

  private let grid: MatteGrid
  private lazy var contour = OcclusionContour(grid: grid)
  /// Ownership in the previous matte: 1 for samples of the kept person, -1 for removed ones.
  private lazy var past = Raster<Int8>(width: grid.width, height: grid.height, filledWith: 0)
  private lazy var present = Raster<Int8>(width: grid.width, height: grid.height, filledWith: 0)
  /// The person kept in the previous matte, or nil if it was not divided.
  private var keptBefore: Int?
  private var people: [Person] = []
  private var rows: [BodyOutline.Row] = []
  private var followed: Int?
  private var hysteresis = Hysteresis()
  private var lastKeep = MatteSettings.Keep.everyone

  /// Creates a splitter for mattes on `grid`.
  init(grid: MatteGrid) {
    self.grid = grid
    people.reserveCapacity(Self.maxPeople + 1)
    rows.reserveCapacity(Self.maxPeople)
  }

  /// Forgets all people.
  func reset() {
    people.removeAll(keepingCapacity: true)
    followed = nil
    keptBefore = nil
    hysteresis.reset()
  }

  /// Continues with the people of another splitter that uses the same face IDs.
  func adoptPeople(of old: OcclusionSplitter) {
    let (x, y) = (old.grid.stepX / grid.stepX, old.grid.stepY / grid.stepY)
    people.removeAll(keepingCapacity: true)
    for var person in old.people {
      person.body.x *= x
      person.body.y *= y
      person.body.width *= x
      people.append(person)
    }
    followed = old.followed
    lastKeep = old.lastKeep
  }

  /// Keeps the samples of the chosen person in `matte`, in place.
  ///
  /// Leaves the matte unchanged while fewer than two people are known. `picture` is the frame on
  /// the matte's grid. `ticks` have passed since the previous matte.
  func apply(
    to matte: Raster<UInt8>, picture: Frame, faces: [SeenFace], keep: MatteSettings.Keep,
    after ticks: Int
  ) {
    // Allocate the lazy members now, before people touch.
    let (contour, _, _) = (contour, past, present)
    if keep != lastKeep {
      followed = nil
      lastKeep = keep
    }
    match(faces, in: matte, after: ticks)
    guard people.count > 1 else {
      followed = people.first?.id
      keptBefore = nil
      return
    }
    measure(matte)
    choose(keep, after: ticks)
    guard let kept = people.first(where: { $0.id == followed }) else { return }
    if keptBefore != kept.id || ticks > Self.maxPastAge {
      past.fill(with: 0)
      for i in people.indices {
        people[i].isOccluder = nil
        people[i].reversal.reset()
      }
    }
    present.fill(with: 0)
    for i in people.indices where people[i].id != kept.id {
      let (isOccluder, isReversed) = judge(&people[i], against: kept, after: ticks)
      let other = people[i]
      // After a reversal the past ownership is about the contour of the other body.
      contour.find(
        isOccluder ? other.body : kept.body, before: isOccluder ? kept.body : other.body, in: matte,
        picture: picture, past: isReversed ? nil : (past, isOccluder ? -1 : 1))
      remove(contour, isOfKept: !isOccluder, from: matte)
    }
    for i in 0..<grid.width * grid.height {
      if unsafe matte.base[i] >= Matte.solid { unsafe present.base[i] = 1 }
    }
    swap(&past, &present)
    keptBefore = kept.id
  }

  // MARK: - People

  private func match(_ faces: [SeenFace], in matte: Raster<UInt8>, after ticks: Int) {
    for i in people.indices { people[i].missing += max(ticks, 1) }
    for face in faces where (face.x + face.y + face.width).isFinite {
      // Coordinates far outside add no information, and their squares could overflow.
      let (columns, lines) = (Double(grid.width), Double(grid.height))
      let x = min(max(face.x / grid.stepX, -columns), 2 * columns)
      let y = min(max(face.y / grid.stepY, -lines), 2 * lines)
      let width = min(max(face.width / grid.stepX, 1), 4 * columns)
      if let i = people.firstIndex(where: { $0.id == face.id }) {
        people[i].body = BodyOutline.Body(x: x, y: y, width: width)
        people[i].score = face.score
        people[i].missing = 0
      } else if people.count < Self.maxPeople {
        people.append(
          Person(
            id: face.id, body: BodyOutline.Body(x: x, y: y, width: width), score: face.score))
      }
    }
    for i in people.indices.reversed() where !isPresent(people[i], in: matte) {
      people.remove(at: i)
    }
  }

  /// Whether a person is still present.
  ///
  /// Faces on posters, and places that a person has left, have no matte.
  private func isPresent(_ person: Person, in matte: Raster<UInt8>) -> Bool {
    guard person.missing <= Self.maxTimeWithoutFace, isSolid(person.body, in: matte) else {
      return false
    }
    guard person.missing > 0 else { return true }
    // The face was detected again, with another ID.
    return !people.contains {
      let (dx, dy) = ($0.body.x - person.body.x, $0.body.y - person.body.y)
      let reach = Self.sameFaceDistance * max($0.body.width, person.body.width)
      return $0.missing == 0 && dx * dx + dy * dy < reach * reach
    }
  }

  /// Whether most samples in the middle of a face are solid.
  private func isSolid(_ body: BodyOutline.Body, in matte: Raster<UInt8>) -> Bool {
    let reach = body.width / 4
    func range(_ middle: Double, _ limit: Int) -> Range<Int> {
      let first = min(max(middle - reach, 0), Double(limit - 1))
      let last = min(max(middle + reach, first), Double(limit - 1))
      return Int(first)..<Int(last) + 1
    }
    var (solid, count) = (0, 0)
    for y in range(body.y, grid.height) {
      let row = unsafe matte.row(y)
      for x in range(body.x, grid.width) {
        count += 1
        if unsafe row[x] >= Matte.solid { solid += 1 }
      }
    }
    return 2 * solid > count
  }

  /// Chooses the person to keep.
  private func choose(_ keep: MatteSettings.Keep, after ticks: Int) {
    guard let current = people.first(where: { $0.id == followed }) else {
      hysteresis.reset()
      followed = first(keep).id
      return
    }
    guard keep == .nearest else { return }
    var nearest = current
    for person in people where person.area > nearest.area {
      // A person behind the kept one is not nearer, even with a larger visible area.
      if faceIsInFront(person, of: current, before: person.isOccluder) != false { nearest = person }
    }
    let (largest, kept) = (Double(nearest.area), Double(current.area))
    if hysteresis.isDue(largest: largest, kept: kept, after: ticks) {
      followed = nearest.id
      hysteresis.reset()
    }
  }

  /// Returns the initial choice: the person in front for `nearest`, otherwise the first one known.
  private func first(_ keep: MatteSettings.Keep) -> Person {
    guard keep == .nearest, let largest = people.max(by: { $0.area < $1.area }) else {
      return people[0]
    }
    let inFront = people.lazy.filter { self.faceIsInFront($0, of: largest) == true }
    return inFront.max { $0.area < $1.area } ?? largest
  }

  /// Judges whether a person occludes the kept one, and whether that has just changed.
  ///
  /// A change must last for `reversalTime`.
  private func judge(
    _ other: inout Person, against kept: Person, after ticks: Int
  ) -> (isOccluder: Bool, isReversed: Bool) {
    let isInFront = isInFront(other, of: kept, before: other.isOccluder)
    let before = other.isOccluder ?? isInFront
    let isReversed = other.reversal.record(
      isInFront != before, after: ticks, lasts: Self.reversalTime)
    if isReversed { other.reversal.reset() }
    let isOccluder = isReversed ? isInFront : before
    other.isOccluder = isOccluder
    return (isOccluder, isReversed)
  }

  /// Whether `a` is in front of `b`.
  ///
  /// `before` is the previous decision.
  private func isInFront(_ a: Person, of b: Person, before: Bool?) -> Bool {
    if let isInFront = faceAtEdgeIsInFront(a, of: b, before: before) { return isInFront }
    if let isInFront = faceIsInFront(a, of: b, before: before) { return isInFront }
    let margin = before.map { $0 ? 1 / Self.frontMargin : Self.frontMargin } ?? 1
    return Double(a.area) > Double(b.area) * margin
  }

  /// Decides by the widths of the faces if one reaches beyond the left or right edge.
  ///
  /// Returns nil if neither does, or if that face is not much wider than the other.
  private func faceAtEdgeIsInFront(_ a: Person, of b: Person, before: Bool?) -> Bool? {
    // The width of a face with a hidden middle is a guess.
    if isMiddleHidden(a) || isMiddleHidden(b) { return before }
    if isAtEdge(a, andWiderThan: b, before: before == true) { return true }
    if isAtEdge(b, andWiderThan: a, before: before == false) { return false }
    return nil
  }

  private func isAtEdge(_ a: Person, andWiderThan b: Person, before: Bool) -> Bool {
    let reach = before ? Self.maxEdgeReach : Self.edgeReach
    let ratio = before ? Self.minFrontRatio : Self.frontRatio
    return distanceToEdge(a) < reach * a.body.width && a.body.width > ratio * b.body.width
  }

  /// Whether the middle of a detected face is beyond the left or right edge.
  private func isMiddleHidden(_ person: Person) -> Bool {
    person.missing == 0 && distanceToEdge(person) < 0
  }

  /// Distance from the middle of a face to the nearer side of the frame, negative beyond it.
  private func distanceToEdge(_ person: Person) -> Double {
    min(person.body.x, Double(grid.width) - person.body.x)
  }

  /// Decides by the scores of the faces.
  ///
  /// Returns nil if the faces do not overlap or if one person is much larger. Returns `before` if
  /// the scores are similar.
  private func faceIsInFront(_ a: Person, of b: Person, before: Bool? = nil) -> Bool? {
    let distance = max(abs(a.body.x - b.body.x), abs(a.body.y - b.body.y))
    guard 2 * distance < Self.overlapDistance * (a.body.width + b.body.width),
      Double(max(a.area, b.area)) < Self.maxAreaRatio * Double(min(a.area, b.area))
    else { return nil }
    let difference = a.score - b.score
    return abs(difference) > Self.scoreMargin ? difference > 0 : before
  }

  // MARK: - Samples

  /// Assigns each solid sample to the nearest body, and counts the samples per person.
  private func measure(_ matte: Raster<UInt8>) {
    for i in people.indices { people[i].area = 0 }
    for y in 0..<grid.height {
      rows.removeAll(keepingCapacity: true)
      for person in people { rows.append(BodyOutline.front.row(y, of: person.body)) }
      let row = unsafe matte.row(y)
      for x in 0..<grid.width where unsafe row[x] >= Matte.solid {
        var (nearest, minDistance) = (0, Float.infinity)
        for i in rows.indices {
          let distance = rows[i].distance(x)
          if distance < minDistance { (nearest, minDistance) = (i, distance) }
        }
        people[nearest].area += 1
      }
    }
  }

  /// Whether people were separated in the last matte.
  var isDividing: Bool { keptBefore != nil }

  /// Whether a component left in the last matte belongs to another person.
  ///
  /// It does if it touches removed samples and most of it is outside the outline of the kept
  /// person.
  func belongsToOther(_ part: Int, of parts: ConnectedComponents) -> Bool {
    guard let kept = people.first(where: { $0.id == keptBefore }) else { return false }
    var (beyond, touches) = (0, false)
    let box = parts[part]
    for y in box.top..<box.bottom {
      let outline = BodyOutline.front.row(y, of: kept.body)
      for number in parts.runs(inRow: y) where parts.component(of: number) == part {
        let run = parts.run(number)
        for x in Int(run.first)..<Int(run.end) where outline.distance(x) > 1 { beyond += 1 }
        touches = touches || wasRemoved(nextTo: run, row: y)
      }
    }
    return touches && 2 * beyond > box.area
  }

  /// Whether a sample next to a run was removed from the last matte.
  private func wasRemoved(nextTo run: ConnectedComponents.Run, row y: Int) -> Bool {
    let columns = max(Int(run.first) - 1, 0)..<min(Int(run.end) + 1, grid.width)
    for y in max(y - 1, 0)..<min(y + 2, grid.height) {
      let row = unsafe past.row(y)
      for x in columns where unsafe row[x] < 0 { return true }
    }
    return false
  }

  /// Clears the samples outside the contour if it is the kept person's, otherwise those inside.
  private func remove(_ contour: OcclusionContour, isOfKept: Bool, from matte: Raster<UInt8>) {
    for y in 0..<grid.height {
      let (row, owners, own) = unsafe (
        matte.row(y), present.row(y), contour.columns(inRow: y)
      )
      func clear(_ columns: Range<Int>) {
        for x in columns {
          if unsafe row[x] >= Matte.solid { unsafe owners[x] = -1 }
          unsafe row[x] = 0
        }
      }
      if isOfKept {
        clear(0..<own.lowerBound)
        clear(own.upperBound..<grid.width)
      } else {
        clear(own)
      }
    }
  }
}
