import PixelTypes

/// Says of each sample of a matte whether it belongs to what is kept, and empties the rest.
///
/// The components are given; the soft samples around them, and what else was left open, fall to
/// whichever is reached first on a way over samples that are not empty.
package final class OwnershipMap {
  /// What a sample belongs to.
  enum Owner: UInt8 {
    /// Left as it is, unless it is reached from a dropped sample.
    case undecided
    /// Shown.
    case kept
    /// Emptied.
    case dropped
  }

  /// Alpha below this is not seen, and leads nowhere.
  private static let leastVisible: UInt8 = 3
  /// Marks a kept sample that is to be started from; it is kept again before that is over.
  private static let rim: UInt8 = 3
  /// Marks a sample that is dropped because it was reached, not to be started from; it is dropped when that
  /// is over.
  private static let reachedDropped: UInt8 = 4

  private var owners: Raster<UInt8>
  /// Those of the inference before.
  private var before: Raster<UInt8>
  /// Samples that were reached, from the front; kept ones they border on, from the back.
  ///
  /// No sample is there twice.
  private let queue: Raster<UInt32>
  private var reached = 0, rims = 0
  private var findsRims = false
  /// Samples of less are not reached.
  private var leastAlpha = leastVisible
  /// Whether `owners` are those of the last inference.
  package private(set) var isFresh = false

  /// Allocates memory for mattes on `grid`.
  init(grid: MatteGrid) {
    owners = Raster(width: grid.width, height: grid.height, filledWith: 0)
    before = Raster(width: grid.width, height: grid.height, filledWith: 0)
    queue = Raster(width: grid.width, height: grid.height, filledWith: 0)
  }

  /// There was an inference, or a break, that this object did not see.
  package func reset() {
    isFresh = false
  }

  /// All of the last inference was shown: its components are kept.
  package func recall(_ runs: ConnectedComponents) {
    owners.fill(with: 0)
    isFresh = true
    for y in 0..<runs.height {
      let row = unsafe owners.row(y)
      for i in runs.runs(inRow: y) {
        let run = runs.run(i)
        unsafe (row + Int(run.first)).update(repeating: Owner.kept.rawValue, count: run.count)
      }
    }
  }

  /// Assigns the components of `runs` to their owners; nil stands for a component whose samples
  /// keep the owners of the last inference.
  ///
  /// Of the samples of such a component those that had no owner are dropped where `isDropped` says so.
  func assign(
    _ runs: ConnectedComponents, isDropped: (_ x: Int, _ y: Int) -> Bool, to owner: (Int) -> Owner?
  ) {
    swap(&owners, &before)
    owners.fill(with: 0)
    isFresh = true
    for y in 0..<runs.height {
      let (row, former) = unsafe (owners.row(y), before.row(y))
      for i in runs.runs(inRow: y) {
        let run = runs.run(i)
        let first = Int(run.first)
        if let owner = owner(Int(run.component)) {
          unsafe (row + first).update(repeating: owner.rawValue, count: run.count)
        } else {
          unsafe (row + first).update(from: former + first, count: run.count)
          for x in first..<Int(run.end)
          where unsafe row[x] == Owner.undecided.rawValue && isDropped(x, y) {
            unsafe row[x] = Owner.dropped.rawValue
          }
        }
      }
    }
  }

  /// Empties what is not kept, with the soft samples around it.
  ///
  /// With `threshold` whatever hangs together with something dropped over samples of at least that alpha is
  /// dropped too, however near to what is kept.
  func clear(
    _ matte: Raster<UInt8>, components runs: ConnectedComponents, droppingFrom threshold: UInt8?
  ) {
    (reached, rims) = (0, 0)
    if let threshold {
      leastAlpha = threshold
      spread(from: runs, in: matte)
      emptyReached(matte)
      leastAlpha = Self.leastVisible
      reached = 0
    }
    findsRims = true
    spread(from: runs, in: matte)
    findsRims = false
    if rims > 0 {
      // What is kept lies near: both spread, a step at a time, and the nearer gets the sample.
      for i in 0..<reached { unsafe owners.base[Int(queue.base[i])] = 0 }
      reached = 0
      let last = matte.width * matte.height
      for i in 0..<rims {
        let sample = unsafe Int(queue.base[last - 1 - i])
        unsafe owners.base[sample] = Owner.kept.rawValue
        spread(around: sample, in: matte)
      }
      spread(from: runs, in: matte)
    }
    emptyReached(matte)
    forEachDropped(of: runs) { sample in unsafe matte.base[sample] = 0 }
  }

  private func emptyReached(_ matte: Raster<UInt8>) {
    for i in 0..<reached {
      let sample = unsafe Int(queue.base[i])
      guard unsafe owners.base[sample] == Self.reachedDropped else { continue }
      unsafe owners.base[sample] = Owner.dropped.rawValue
      unsafe matte.base[sample] = 0
    }
  }

  /// Number of kept samples in a component of `runs`, and the rectangle they fill.
  package func kept(of component: Int, in runs: ConnectedComponents)
    -> ConnectedComponents.Component
  {
    var kept = ConnectedComponents.Component()
    let box = runs[component]
    for y in box.top..<box.bottom {
      let row = unsafe owners.row(y)
      for i in runs.runs(inRow: y) where runs.component(of: i) == component {
        let run = runs.run(i)
        for x in Int(run.first)..<Int(run.end)
        where unsafe !isDropped(row[x]) {
          kept.area += 1
          (kept.left, kept.right) = (min(kept.left, x), max(kept.right, x + 1))
          (kept.top, kept.bottom) = (min(kept.top, y), y + 1)
        }
      }
    }
    return kept
  }

  /// The columns of a run within which it is kept.
  package func kept(of run: ConnectedComponents.Run, row y: Int) -> Range<Int> {
    let row = unsafe owners.row(y)
    var (first, end) = (Int(run.first), Int(run.end))
    while first < end, unsafe isDropped(row[first]) { first += 1 }
    while end > first, unsafe isDropped(row[end - 1]) { end -= 1 }
    return first..<end
  }

  private func isDropped(_ owner: UInt8) -> Bool {
    owner == Owner.dropped.rawValue
  }

  /// The samples of the components, as opposed to the soft ones around them, that are not kept.
  private func forEachDropped(of runs: ConnectedComponents, _ body: (Int) -> Void) {
    for y in 0..<runs.height {
      for i in runs.runs(inRow: y) {
        let run = runs.run(i)
        let row = y * owners.width
        for sample in row + Int(run.first)..<row + Int(run.end)
        where unsafe isDropped(owners.base[sample]) {
          body(sample)
        }
      }
    }
  }

  private func spread(from runs: ConnectedComponents, in matte: Raster<UInt8>) {
    forEachDropped(of: runs) { spread(around: $0, in: matte) }
    var next = 0
    while next < reached {
      let sample = unsafe Int(queue.base[next])
      next += 1
      spread(around: sample, in: matte)
    }
  }

  private func spread(around sample: Int, in matte: Raster<UInt8>) {
    let (width, height) = (matte.width, matte.height)
    let (x, y) = (sample % width, sample / width)
    let start = unsafe owners.base[sample]
    let owner = isDropped(start) ? Self.reachedDropped : start
    if x > 0 { take(sample - 1, for: owner, in: matte) }
    if x + 1 < width { take(sample + 1, for: owner, in: matte) }
    if y > 0 { take(sample - width, for: owner, in: matte) }
    if y + 1 < height { take(sample + width, for: owner, in: matte) }
  }

  private func take(_ sample: Int, for owner: UInt8, in matte: Raster<UInt8>) {
    let present = unsafe owners.base[sample]
    if present == Owner.undecided.rawValue, unsafe matte.base[sample] >= leastAlpha {
      unsafe owners.base[sample] = owner
      unsafe queue.base[reached] = UInt32(sample)
      reached += 1
    } else if findsRims, present == Owner.kept.rawValue {
      unsafe owners.base[sample] = Self.rim
      rims += 1
      unsafe queue.base[owners.width * owners.height - rims] = UInt32(sample)
    }
  }
}
