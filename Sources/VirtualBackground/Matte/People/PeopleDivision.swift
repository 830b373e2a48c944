import PixelTypes

/// Divides a matte between people whose faces are known, and leaves one of them: people who touch are
/// one silhouette.
///
/// Of two people the one with the larger part is in front, whatever the faces' sizes: what the other has
/// there is hidden.
///
/// Time is given in the ticks of a `MatteClock`. Used on one thread at a time. Allocates nothing after
/// two people were seen together.
final class PeopleDivision {
  private struct Person {
    let id: Int
    var body: BodyOutline.Body
    /// Samples of the matte that are theirs.
    var area = 0
    /// Ticks since the face was seen.
    var missing = 0
  }

  /// More people than that are not told apart.
  private static let most = PeopleTracker.most
  /// So long the place of somebody who turned the face away is remembered.
  private static let patience = MatteClock.ticks(seconds: 2)
  /// Faces nearer than this, in widths, are the same.
  private static let nearness = 0.7
  /// Alpha from which on a sample counts as a person's.
  private static let solid: UInt8 = 128

  private let grid: MatteGrid
  private lazy var contour = FrontContour(grid: grid)
  /// Of the matte before: 1 for samples that were shown, -1 for those that were another's.
  private lazy var past = Raster<Int8>(width: grid.width, height: grid.height, filledWith: 0)
  private lazy var present = Raster<Int8>(width: grid.width, height: grid.height, filledWith: 0)
  /// Who was kept then; nil where nobody was hidden.
  private var keptBefore: Int?
  private var people: [Person] = []
  private var rows: [BodyOutline.Row] = []
  private var followed: Int?
  private var nearestChange = NearestChange()
  private var lastKeep = EffectSettings.Keep.everyone

  /// Divides mattes on `grid`.
  init(grid: MatteGrid) {
    self.grid = grid
    people.reserveCapacity(Self.most + 1)
    rows.reserveCapacity(Self.most)
  }

  /// Forgets all people.
  func forgetPast() {
    people.removeAll(keepingCapacity: true)
    followed = nil
    keptBefore = nil
    nearestChange.reset()
  }

  /// Goes on with the people that another knows, who are seen by the same faces.
  func takeOverPeople(from old: PeopleDivision) {
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
    to matte: Raster<UInt8>, picture: Frame, faces: [SeenFace], keep: EffectSettings.Keep,
    after ticks: Int
  ) {
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
    if keptBefore != kept.id { past.fill(with: 0) }
    present.fill(with: 0)
    for other in people where other.id != kept.id {
      remove(other, from: matte, picture, keeping: kept)
    }
    for i in 0..<grid.width * grid.height {
      if unsafe matte.base[i] >= Self.solid { unsafe present.base[i] = 1 }
    }
    swap(&past, &present)
    keptBefore = kept.id
  }

  // MARK: - People

  private func recognise(_ faces: [SeenFace], in matte: Raster<UInt8>, after ticks: Int) {
    for i in people.indices { people[i].missing += max(ticks, 1) }
    for face in faces where (face.x + face.y + face.width).isFinite {
      let (x, y) = (face.x / grid.stepX, face.y / grid.stepY)
      let width = max(face.width / grid.stepX, 1)
      if let i = people.firstIndex(where: { $0.id == face.id }) {
        people[i].body = BodyOutline.Body(x: x, y: y, width: width)
        people[i].missing = 0
      } else if people.count < Self.most {
        people.append(Person(id: face.id, body: BodyOutline.Body(x: x, y: y, width: width)))
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
        if unsafe row[x] >= Self.solid { solid += 1 }
      }
    }
    return 2 * solid > count
  }

  /// Chooses the person to be kept.
  private func choose(_ keep: EffectSettings.Keep, after ticks: Int) {
    guard let current = people.first(where: { $0.id == followed }) else {
      nearestChange.reset()
      followed = first(keep).id
      return
    }
    guard keep == .nearest else { return }
    let best = first(keep)
    let (largest, kept) = (Double(best.area), Double(current.area))
    if nearestChange.isDue(largest: largest, kept: kept, after: ticks) {
      followed = best.id
      nearestChange.reset()
    }
  }

  /// The person to begin with: the largest, or the one who came first.
  private func first(_ keep: EffectSettings.Keep) -> Person {
    var best = people[0]
    for person in people where keep == .nearest && person.area > best.area { best = person }
    return best
  }

  // MARK: - Samples

  /// Gives each sample to the person whose body it is nearest to, and counts them.
  private func measure(_ matte: Raster<UInt8>) {
    for i in people.indices { people[i].area = 0 }
    for y in 0..<grid.height {
      rows.removeAll(keepingCapacity: true)
      for person in people { rows.append(BodyOutline.front.row(y, of: person.body)) }
      let row = unsafe matte.row(y)
      for x in 0..<grid.width where unsafe row[x] >= Self.solid {
        var (nearest, least) = (0, Float.infinity)
        for i in rows.indices {
          let distance = rows[i].distance(x)
          if distance < least { (nearest, least) = (i, distance) }
        }
        people[nearest].area += 1
      }
    }
  }

  /// Empties what of two people's samples is the other's.
  private func remove(
    _ other: Person, from matte: Raster<UInt8>, _ picture: Frame, keeping kept: Person
  ) {
    let isInFront = kept.area >= other.area
    let (front, behind) = isInFront ? (kept, other) : (other, kept)
    let sign: Float = isInFront ? 1 : -1
    contour.find(front.body, before: behind.body, in: matte, picture: picture) { x, y in
      unsafe sign * Float(past.row(y)[x])
    }
    for y in 0..<grid.height {
      let (row, owners, own) = unsafe (
        matte.row(y), present.row(y), contour.columns(inRow: y)
      )
      func clear(_ columns: Range<Int>) {
        for x in columns {
          if unsafe row[x] >= Self.solid { unsafe owners[x] = -1 }
          unsafe row[x] = 0
        }
      }
      if isInFront {
        clear(0..<own.lowerBound)
        clear(own.upperBound..<grid.width)
      } else {
        clear(own)
      }
    }
  }
}
