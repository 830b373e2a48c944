import PixelTypes

/// Divides a matte between people whose faces are known, and leaves one of them: people who touch are
/// one silhouette.
///
/// A sample belongs to the person whose body it is nearest to, as bodies lie below faces. What the
/// person in front hides is nobody's, so their part is the larger one, whatever the faces' sizes.
///
/// Time is given in the ticks of a `MatteClock`. Used on one thread at a time. Allocates nothing after
/// it is made.
final class PeopleDivision {
  private struct Person {
    let id: Int
    /// The middle of the face and its width, in samples.
    var x: Double, y: Double, width: Double
    /// Samples of the matte that are theirs.
    var area = 0
    /// Ticks since the face was seen.
    var missing = 0
  }

  /// What a row of samples needs to know of a person: the distance of a sample at `x` is
  /// `((x - middle)^2 + rise) * scale`.
  private struct Row {
    var middle: Float = 0, rise: Float = 0, scale: Float = 0
  }

  /// Half the width of people at heights below the middle of the face, both in widths of the face:
  /// hair, temples, chin, neck, shoulders, arms.
  ///
  /// With these, of 22 pictures of two people who touch, the right part of 0.89 was left on average, by
  /// IoU; 0.81 with the distance from the face alone. The picture's colours added nothing.
  private static let outline: [(y: Double, half: Double)] = [
    (-1.1, 0.3), (-0.5, 0.65), (0.1, 0.7), (0.65, 0.55), (1, 0.8), (1.4, 1.6), (2.8, 1.95),
  ]
  /// Where the hair ends.
  private static let crown = -0.7
  /// More people than that are not told apart.
  private static let most = PeopleTracker.most
  /// So long the place of somebody who turned the face away is remembered.
  private static let patience = MatteClock.ticks(seconds: 2)
  /// Faces nearer than this, in widths, are the same.
  private static let nearness = 0.7
  /// Alpha from which on a sample counts as a person's.
  private static let solid: UInt8 = 128

  private let grid: MatteGrid
  private var people: [Person] = []
  private var rows: [Row]
  private var followed: Int?
  private var nearestChange = NearestChange()
  private var lastKeep = EffectSettings.Keep.everyone

  /// Divides mattes on `grid`.
  init(grid: MatteGrid) {
    self.grid = grid
    people.reserveCapacity(Self.most + 1)
    rows = Array(repeating: Row(), count: Self.most)
  }

  /// Forgets all people.
  func forgetPast() {
    people.removeAll(keepingCapacity: true)
    followed = nil
    nearestChange.reset()
  }

  /// Goes on with the people that another knows, who are seen by the same faces.
  func takeOverPeople(from old: PeopleDivision) {
    let (x, y) = (old.grid.stepX / grid.stepX, old.grid.stepY / grid.stepY)
    people.removeAll(keepingCapacity: true)
    for var person in old.people {
      person.x *= x
      person.y *= y
      person.width *= x
      people.append(person)
    }
    followed = old.followed
    lastKeep = old.lastKeep
  }

  /// Leaves in `matte`, in place, what belongs to the person to be kept; all of it where no two people
  /// are known.
  ///
  /// So many ticks have passed since the matte before.
  func apply(
    to matte: Raster<UInt8>, faces: [SeenFace], keep: EffectSettings.Keep, after ticks: Int
  ) {
    if keep != lastKeep {
      followed = nil
      lastKeep = keep
    }
    recognise(faces, in: matte, after: ticks)
    guard people.count > 1 else {
      followed = people.first?.id
      return
    }
    measure(matte)
    choose(keep, after: ticks)
    guard let kept = people.firstIndex(where: { $0.id == followed }) else { return }
    forEachRow { y in
      let row = unsafe matte.row(y)
      for x in 0..<grid.width where unsafe row[x] > 0 && owner(x) != kept { unsafe row[x] = 0 }
    }
  }

  // MARK: - People

  private func recognise(_ faces: [SeenFace], in matte: Raster<UInt8>, after ticks: Int) {
    for i in people.indices { people[i].missing += max(ticks, 1) }
    for face in faces where (face.x + face.y + face.width).isFinite {
      let (x, y) = (face.x / grid.stepX, face.y / grid.stepY)
      let width = max(face.width / grid.stepX, 1)
      if let i = people.firstIndex(where: { $0.id == face.id }) {
        (people[i].x, people[i].y, people[i].width) = (x, y, width)
        people[i].missing = 0
      } else if people.count < Self.most {
        people.append(Person(id: face.id, x: x, y: y, width: width))
      }
    }
    for i in people.indices.reversed() where !stays(people[i], in: matte) { people.remove(at: i) }
  }

  /// Whether a person is still there: faces on posters, and places that were left, have no matte.
  private func stays(_ person: Person, in matte: Raster<UInt8>) -> Bool {
    guard person.missing <= Self.patience, isSolid(person, in: matte) else { return false }
    guard person.missing > 0 else { return true }
    // The face was found again, but not recognised.
    return !people.contains {
      let (dx, dy) = ($0.x - person.x, $0.y - person.y)
      let reach = Self.nearness * max($0.width, person.width)
      return $0.missing == 0 && dx * dx + dy * dy < reach * reach
    }
  }

  /// Whether most of the middle of a face is a person's.
  private func isSolid(_ person: Person, in matte: Raster<UInt8>) -> Bool {
    let reach = person.width / 4
    func range(_ middle: Double, _ limit: Int) -> Range<Int> {
      let first = min(max(middle - reach, 0), Double(limit - 1))
      let last = min(max(middle + reach, first), Double(limit - 1))
      return Int(first)..<Int(last) + 1
    }
    var (solid, count) = (0, 0)
    for y in range(person.y, grid.height) {
      let row = unsafe matte.row(y)
      for x in range(person.x, grid.width) {
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

  private func measure(_ matte: Raster<UInt8>) {
    for i in people.indices { people[i].area = 0 }
    forEachRow { y in
      let row = unsafe matte.row(y)
      for x in 0..<grid.width where unsafe row[x] >= Self.solid { people[owner(x)].area += 1 }
    }
  }

  /// Prepares `owner` for one row after the other.
  private func forEachRow(_ body: (Int) -> Void) {
    for y in 0..<grid.height {
      for i in people.indices {
        let person = people[i]
        let down = (Double(y) - person.y) / person.width
        let half = Self.half(at: down) * person.width
        let rise = max(Self.crown - down, 0) * person.width
        rows[i] = Row(
          middle: Float(person.x), rise: Float(rise * rise), scale: Float(1 / (half * half)))
      }
      body(y)
    }
  }

  /// The number of the person to whose body a sample of the row is nearest.
  private func owner(_ x: Int) -> Int {
    var (best, least) = (0, Float.infinity)
    for i in people.indices {
      let across = Float(x) - rows[i].middle
      let distance = (across * across + rows[i].rise) * rows[i].scale
      if distance < least { (best, least) = (i, distance) }
    }
    return best
  }

  private static func half(at y: Double) -> Double {
    var before = outline[0]
    for point in outline {
      if y < point.y {
        let part = (max(y, before.y) - before.y) / max(point.y - before.y, 1e-6)
        return before.half + part * (point.half - before.half)
      }
      before = point
    }
    return before.half
  }
}
