import Matting
import PixelTypes

/// Divides a component between the people in it, and keeps the part of one person.
///
/// Needs their faces. Times are in ticks of a `MatteClock`. Not thread-safe. Allocates only for its
/// first matte.
final class OcclusionSplitter {
  /// The ownership in the previous matte is used up to this age.
  private static let maxPastAge = MatteClock.ticks(seconds: 0.5)

  private let grid: MatteGrid
  private lazy var contour = OcclusionContour(grid: grid)
  /// Ownership in the previous matte: 1 for samples of the kept person, -1 for removed ones.
  private lazy var past = Raster<Int8>(width: grid.width, height: grid.height, filledWith: 0)
  private lazy var present = Raster<Int8>(width: grid.width, height: grid.height, filledWith: 0)
  /// The ID of the person kept in the previous matte, or nil if it was not divided.
  private var keptBefore: Int?

  init(grid: MatteGrid) { self.grid = grid }

  func reset() { keptBefore = nil }

  /// Keeps the samples of one person in `matte`, in place.
  ///
  /// Leaves the matte unchanged if no other person touches this one. `picture` is the frame on the
  /// matte's grid.
  func split(_ matte: Raster<UInt8>, picture: Frame, keeping kept: Int, of tracker: PersonTracker) {
    let people = tracker.people
    guard let own = people[kept].face else {
      keptBefore = nil
      return
    }
    // Allocate the lazy members now, before people touch.
    let (contour, _, _) = (contour, past, present)
    guard people.indices.contains(where: { tracker.canDivide($0, from: kept) }) else {
      keptBefore = nil
      return
    }
    if keptBefore != people[kept].id || tracker.ticks > Self.maxPastAge { past.fill(with: 0) }
    present.fill(with: 0)
    for p in people.indices where tracker.canDivide(p, from: kept) {
      guard let other = people[p].face, let order = people[p].order else { continue }
      // After a reversal the past ownership is about the contour of the other person.
      let (front, behind) = order.isOccluder ? (other, own) : (own, other)
      contour.find(
        front.position, before: behind.position, in: matte, picture: picture,
        past: order.isReversed ? nil : (past, order.isOccluder ? -1 : 1))
      remove(contour, isOfKept: !order.isOccluder, from: matte)
    }
    for i in 0..<grid.width * grid.height {
      if unsafe matte.base[i] >= Matte.solid { unsafe present.base[i] = 1 }
    }
    swap(&past, &present)
    keptBefore = people[kept].id
  }

  /// Whether people were separated in the last matte.
  var isDividing: Bool { keptBefore != nil }

  /// Clears the samples outside the contour if it is the kept person's, otherwise those inside.
  private func remove(_ contour: OcclusionContour, isOfKept: Bool, from matte: Raster<UInt8>) {
    for y in 0..<grid.height {
      let (row, owners, own) = unsafe (matte.row(y), present.row(y), contour.columns(inRow: y))
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
