import Matting
import PixelTypes

/// Divides a matte between people whose faces are known, and leaves one of them: people who touch are
/// one silhouette.
///
/// Of two people the one who has more of the silhouette is taken to stand in front. Where one face lies
/// before the other, and neither person has twice as much as the other, it is the one whose face is seen
/// for sure. Of somebody whose face reaches beyond the left or right edge of the frame too little is seen to
/// compare areas: they are in front if their face is much the larger one. While the middle of a face is
/// beyond the edge, what was said last stays.
///
/// Time is given in the ticks of a `MatteClock`. Used on one thread at a time. Allocates nothing after
/// its first matte.
final class OcclusionSplitter {
  private struct Person {
    let id: Int
    var body: BodyOutline.Body
    /// How sure the network is of the face.
    var score: Double
    /// Samples of the matte that are theirs.
    var area = 0
    /// Ticks since the face was seen.
    var missing = 0
    /// Whether they stand before the one who is kept; nil where that was not judged yet.
    var hidesKept: Bool?
    /// For how long it has looked the other way round.
    var reversal = Debouncer()
  }

  /// More people than that are not told apart.
  private static let most = PeopleTracker.most
  /// So long the place of somebody who turned the face away is remembered.
  private static let patience = MatteClock.ticks(seconds: 2)
  /// Faces nearer than this, in widths, are the same.
  private static let nearness = 0.7
  /// Who stands behind has to have so many times as much of the silhouette to be in front.
  private static let frontMargin = 1.2
  /// Faces whose middles are nearer than this, in their mean width, lie one before the other.
  private static let meeting = 0.9
  /// The score of a face that another hides a part of is lower by this.
  private static let scoreMargin = 0.1
  /// Whose area is so many times as large is in front, whatever the scores: a face that is turned away
  /// has a low one too.
  private static let comparable = 2.0
  /// Whose face reaches beyond the left or right edge is in front if it is so many times as wide as the
  /// other's, and stays in front while it is so many times as wide.
  ///
  /// A face that turns away looks narrower.
  private static let frontRatio = 1.55, leastFrontRatio = 1.45
  /// A face reaches beyond an edge that is nearer to its middle than this, in widths; one that did, until it
  /// is farther than this.
  private static let edgeReach = 0.5, farthestEdgeReach = 0.75
  /// Who is in front changes when it has looked so for this long.
  private static let reversalTime = MatteClock.ticks(seconds: 0.15)
  /// Whose samples were whose so long ago says nothing.
  private static let longestPast = MatteClock.ticks(seconds: 0.5)

  private let grid: MatteGrid
  private lazy var contour = OcclusionContour(grid: grid)
  /// Of the matte before: 1 for samples that were shown, -1 for those that were another's.
  private lazy var past = Raster<Int8>(width: grid.width, height: grid.height, filledWith: 0)
  private lazy var present = Raster<Int8>(width: grid.width, height: grid.height, filledWith: 0)
  /// Who was kept then; nil where nobody was hidden.
  private var keptBefore: Int?
  private var people: [Person] = []
  private var rows: [BodyOutline.Row] = []
  private var followed: Int?
  private var hysteresis = Hysteresis()
  private var lastKeep = MatteSettings.Keep.everyone

  /// Divides mattes on `grid`.
  init(grid: MatteGrid) {
    self.grid = grid
    people.reserveCapacity(Self.most + 1)
    rows.reserveCapacity(Self.most)
  }

  /// Forgets all people.
  func reset() {
    people.removeAll(keepingCapacity: true)
    followed = nil
    keptBefore = nil
    hysteresis.reset()
  }

  /// Goes on with the people that another knows, who are seen by the same faces.
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

  /// Leaves in `matte`, in place, what belongs to the person to be kept; all of it where no two people
  /// are known.
  ///
  /// `picture` is the frame on the matte's grid; so many ticks have passed since the matte before.
  func apply(
    to matte: Raster<UInt8>, picture: Frame, faces: [SeenFace], keep: MatteSettings.Keep,
    after ticks: Int
  ) {
    // All memory is taken now, before anybody touches.
    let (contour, _, _) = (contour, past, present)
    if keep != lastKeep {
      followed = nil
      lastKeep = keep
    }
    recognise(faces, in: matte, after: ticks)
    guard people.count > 1 else {
      followed = people.first?.id
      keptBefore = nil
      return
    }
    measure(matte)
    choose(keep, after: ticks)
    guard let kept = people.first(where: { $0.id == followed }) else { return }
    if keptBefore != kept.id || ticks > Self.longestPast {
      past.fill(with: 0)
      for i in people.indices {
        people[i].hidesKept = nil
        people[i].reversal.reset()
      }
    }
    present.fill(with: 0)
    for i in people.indices where people[i].id != kept.id {
      let (hidesKept, isReversed) = judge(&people[i], beside: kept, after: ticks)
      let other = people[i]
      // The contour of another body is elsewhere.
      contour.find(
        hidesKept ? other.body : kept.body, before: hidesKept ? kept.body : other.body, in: matte,
        picture: picture, past: isReversed ? nil : (past, hidesKept ? -1 : 1))
      remove(contour, isOfKept: !hidesKept, from: matte)
    }
    for i in 0..<grid.width * grid.height {
      if unsafe matte.base[i] >= Matte.solid { unsafe present.base[i] = 1 }
    }
    swap(&past, &present)
    keptBefore = kept.id
  }

  // MARK: - People

  private func recognise(_ faces: [SeenFace], in matte: Raster<UInt8>, after ticks: Int) {
    for i in people.indices { people[i].missing += max(ticks, 1) }
    for face in faces where (face.x + face.y + face.width).isFinite {
      // What lies beyond says no more, and squares of it are no numbers.
      let (columns, lines) = (Double(grid.width), Double(grid.height))
      let x = min(max(face.x / grid.stepX, -columns), 2 * columns)
      let y = min(max(face.y / grid.stepY, -lines), 2 * lines)
      let width = min(max(face.width / grid.stepX, 1), 4 * columns)
      if let i = people.firstIndex(where: { $0.id == face.id }) {
        people[i].body = BodyOutline.Body(x: x, y: y, width: width)
        people[i].score = face.score
        people[i].missing = 0
      } else if people.count < Self.most {
        people.append(
          Person(
            id: face.id, body: BodyOutline.Body(x: x, y: y, width: width), score: face.score))
      }
    }
    for i in people.indices.reversed() where !stays(people[i], in: matte) { people.remove(at: i) }
  }

  /// Whether a person is still there: faces on posters, and places that were left, have no matte.
  private func stays(_ person: Person, in matte: Raster<UInt8>) -> Bool {
    guard person.missing <= Self.patience, isSolid(person.body, in: matte) else { return false }
    guard person.missing > 0 else { return true }
    // The face was found again, but not recognised.
    return !people.contains {
      let (dx, dy) = ($0.body.x - person.body.x, $0.body.y - person.body.y)
      let reach = Self.nearness * max($0.body.width, person.body.width)
      return $0.missing == 0 && dx * dx + dy * dy < reach * reach
    }
  }

  /// Whether most of the middle of a face is a person's.
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

  /// Chooses the person to be kept.
  private func choose(_ keep: MatteSettings.Keep, after ticks: Int) {
    guard let current = people.first(where: { $0.id == followed }) else {
      hysteresis.reset()
      followed = first(keep).id
      return
    }
    guard keep == .nearest else { return }
    var nearest = current
    for person in people where person.area > nearest.area {
      // Somebody behind the one who is kept is not nearer, however much is seen of them.
      if faceIsInFront(person, of: current, before: person.hidesKept) != false { nearest = person }
    }
    let (largest, kept) = (Double(nearest.area), Double(current.area))
    if hysteresis.isDue(largest: largest, kept: kept, after: ticks) {
      followed = nearest.id
      hysteresis.reset()
    }
  }

  /// The person to begin with: the one in front, or the one who came first.
  private func first(_ keep: MatteSettings.Keep) -> Person {
    guard keep == .nearest, let largest = people.max(by: { $0.area < $1.area }) else {
      return people[0]
    }
    let inFront = people.lazy.filter { self.faceIsInFront($0, of: largest) == true }
    return inFront.max { $0.area < $1.area } ?? largest
  }

  /// Judges whether somebody stands before the one who is kept, and whether that is so since now; what
  /// is so for a moment does not count.
  private func judge(
    _ other: inout Person, beside kept: Person, after ticks: Int
  ) -> (hidesKept: Bool, isReversed: Bool) {
    let isInFront = isInFront(other, of: kept, before: other.hidesKept)
    let before = other.hidesKept ?? isInFront
    let isReversed = other.reversal.note(
      isInFront != before, after: ticks, lasts: Self.reversalTime)
    if isReversed { other.reversal.reset() }
    let hidesKept = isReversed ? isInFront : before
    other.hidesKept = hidesKept
    return (hidesKept, isReversed)
  }

  /// Whether somebody stands before another; `before` is what was said last.
  private func isInFront(_ a: Person, of b: Person, before: Bool?) -> Bool {
    if let isInFront = faceAtEdgeIsInFront(a, of: b, before: before) { return isInFront }
    if let isInFront = faceIsInFront(a, of: b, before: before) { return isInFront }
    let margin = before.map { $0 ? 1 / Self.frontMargin : Self.frontMargin } ?? 1
    return Double(a.area) > Double(b.area) * margin
  }

  /// The same by the widths of faces of which one reaches beyond the left or right edge: nil where none
  /// does, or is much wider than the other.
  private func faceAtEdgeIsInFront(_ a: Person, of b: Person, before: Bool?) -> Bool? {
    // The width of a face whose middle is not seen is a guess.
    if isMiddleHidden(a) || isMiddleHidden(b) { return before }
    if isAtEdge(a, andWiderThan: b, before: before == true) { return true }
    if isAtEdge(b, andWiderThan: a, before: before == false) { return false }
    return nil
  }

  private func isAtEdge(_ a: Person, andWiderThan b: Person, before: Bool) -> Bool {
    let reach = before ? Self.farthestEdgeReach : Self.edgeReach
    let ratio = before ? Self.leastFrontRatio : Self.frontRatio
    return distanceToEdge(a) < reach * a.body.width && a.body.width > ratio * b.body.width
  }

  /// Whether the middle of a face that is seen lies beyond the left or right edge.
  private func isMiddleHidden(_ person: Person) -> Bool {
    person.missing == 0 && distanceToEdge(person) < 0
  }

  /// From the middle of a face to the left or right edge, whichever is nearer; below 0 beyond it.
  private func distanceToEdge(_ person: Person) -> Double {
    min(person.body.x, Double(grid.width) - person.body.x)
  }

  /// The same by how sure the faces are: nil where neither lies before the other, where one person is far
  /// larger, and where neither face is surer than the other and nothing was said before.
  private func faceIsInFront(_ a: Person, of b: Person, before: Bool? = nil) -> Bool? {
    let distance = max(abs(a.body.x - b.body.x), abs(a.body.y - b.body.y))
    guard 2 * distance < Self.meeting * (a.body.width + b.body.width),
      Double(max(a.area, b.area)) < Self.comparable * Double(min(a.area, b.area))
    else { return nil }
    let difference = a.score - b.score
    return abs(difference) > Self.scoreMargin ? difference > 0 : before
  }

  // MARK: - Samples

  /// Gives each sample to the person whose body it is nearest to, and counts them.
  private func measure(_ matte: Raster<UInt8>) {
    for i in people.indices { people[i].area = 0 }
    for y in 0..<grid.height {
      rows.removeAll(keepingCapacity: true)
      for person in people { rows.append(BodyOutline.front.row(y, of: person.body)) }
      let row = unsafe matte.row(y)
      for x in 0..<grid.width where unsafe row[x] >= Matte.solid {
        var (nearest, least) = (0, Float.infinity)
        for i in rows.indices {
          let distance = rows[i].distance(x)
          if distance < least { (nearest, least) = (i, distance) }
        }
        people[nearest].area += 1
      }
    }
  }

  /// Whether people were told apart in the last matte.
  var isDividing: Bool { keptBefore != nil }

  /// Whether a part of what is left of the last matte is another's too: it hung together with what was
  /// removed, and most of it lies beyond the outline of the one who is kept.
  func belongsToOther(_ part: Int, of parts: ConnectedComponents) -> Bool {
    guard let kept = people.first(where: { $0.id == keptBefore }) else { return false }
    var (beyond, touches) = (0, false)
    let box = parts[part]
    for y in box.top..<box.bottom {
      let outline = BodyOutline.front.row(y, of: kept.body)
      for number in parts.runs(inRow: y) where parts.component(of: number) == part {
        let run = parts.run(number)
        for x in Int(run.first)..<Int(run.end) where outline.distance(x) > 1 { beyond += 1 }
        touches = touches || wasRemoved(beside: run, row: y)
      }
    }
    return touches && 2 * beyond > box.area
  }

  /// Whether a sample beside a run was removed from the last matte.
  private func wasRemoved(beside run: ConnectedComponents.Run, row y: Int) -> Bool {
    let columns = max(Int(run.first) - 1, 0)..<min(Int(run.end) + 1, grid.width)
    for y in max(y - 1, 0)..<min(y + 2, grid.height) {
      let row = unsafe past.row(y)
      for x in columns where unsafe row[x] < 0 { return true }
    }
    return false
  }

  /// Empties what is beyond a contour, if it is that of the one who is kept, or else what is within.
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
