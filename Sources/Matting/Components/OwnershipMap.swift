import PixelTypes

/// Assigns each sample of a matte to the kept or the dropped people, and clears dropped samples.
///
/// The caller assigns the components. All other samples, such as soft samples around components,
/// get the nearest owner along a path over visible samples.
package final class OwnershipMap {
  /// The owner of a sample.
  enum Owner: UInt8 {
    /// No owner yet: the sample is kept unless a path from a dropped sample reaches it.
    case undecided
    /// A person who is shown.
    case kept
    /// A person who is not shown: the sample is cleared.
    case dropped
  }

  /// The minimum alpha of a visible sample, which a path may use.
  private static let minVisible: UInt8 = 3
  /// Marks a kept sample at which the second pass starts, until that pass keeps it again.
  private static let border: UInt8 = 3
  /// Marks a sample that was reached from a dropped sample, until the end of the pass.
  ///
  /// Unlike `Owner.dropped`, a pass does not start from it.
  private static let reachedDropped: UInt8 = 4

  private var owners: Raster<UInt8>
  /// The owners of the previous inference.
  private var before: Raster<UInt8>
  /// The reached samples, from the front, and the kept samples next to them, from the back.
  ///
  /// The queue contains each sample at most once.
  private let queue: Raster<UInt32>
  private var reached = 0, borderCount = 0
  private var findsBorder = false
  /// The minimum alpha of the samples that are reached.
  private var minAlpha = minVisible
  /// Whether `owners` belong to the last inference.
  package private(set) var isFresh = false

  /// Allocates memory for mattes on `grid`.
  init(grid: MatteGrid) {
    owners = Raster(width: grid.width, height: grid.height, filledWith: 0)
    before = Raster(width: grid.width, height: grid.height, filledWith: 0)
    queue = Raster(width: grid.width, height: grid.height, filledWith: 0)
  }

  /// Marks the map as stale, after an inference or a break that it did not process.
  package func reset() {
    isFresh = false
  }

  /// Marks all components of the last inference as kept.
  ///
  /// Call this if all of them were shown.
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

  /// Assigns the components of `runs` to their owners.
  ///
  /// If `owner` returns nil, the samples of a component keep their owners of the last inference.
  /// Samples that had no owner are dropped if `isDropped` returns true.
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

  /// Clears the dropped samples and the soft samples around them.
  ///
  /// With a `threshold`, an undecided sample is also dropped if a path over samples of at least
  /// that alpha leads to a dropped sample. A nearer kept sample does not prevent this.
  func clear(
    _ matte: Raster<UInt8>, components runs: ConnectedComponents, droppingFrom threshold: UInt8?
  ) {
    (reached, borderCount) = (0, 0)
    if let threshold {
      minAlpha = threshold
      spread(from: runs, in: matte)
      emptyReached(matte)
      minAlpha = Self.minVisible
      reached = 0
    }
    findsBorder = true
    spread(from: runs, in: matte)
    findsBorder = false
    if borderCount > 0 {
      // Kept samples are near: spread from both owners in steps, so that the nearer owner gets a
      // sample.
      for i in 0..<reached { unsafe owners.base[Int(queue.base[i])] = 0 }
      reached = 0
      let last = matte.width * matte.height
      for i in 0..<borderCount {
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

  /// Returns the number of kept samples in a component of `runs`, and their bounding box.
  package func kept(of component: Int, in runs: ConnectedComponents)
    -> ConnectedComponents.Component
  {
    var kept = ConnectedComponents.Component()
    runs.forEachRun(of: component) { y, columns in
      let row = unsafe owners.row(y)
      for x in columns where unsafe !isDropped(row[x]) {
        kept.area += 1
        (kept.left, kept.right) = (min(kept.left, x), max(kept.right, x + 1))
        (kept.top, kept.bottom) = (min(kept.top, y), y + 1)
      }
    }
    return kept
  }

  /// Returns the columns of a run from the first kept sample to the last one.
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

  /// Calls `body` for each dropped sample of the components, not for soft samples around them.
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
    if x > 0 { visit(sample - 1, for: owner, in: matte) }
    if x + 1 < width { visit(sample + 1, for: owner, in: matte) }
    if y > 0 { visit(sample - width, for: owner, in: matte) }
    if y + 1 < height { visit(sample + width, for: owner, in: matte) }
  }

  private func visit(_ sample: Int, for owner: UInt8, in matte: Raster<UInt8>) {
    let present = unsafe owners.base[sample]
    if present == Owner.undecided.rawValue, unsafe matte.base[sample] >= minAlpha {
      unsafe owners.base[sample] = owner
      unsafe queue.base[reached] = UInt32(sample)
      reached += 1
    } else if findsBorder, present == Owner.kept.rawValue {
      unsafe owners.base[sample] = Self.border
      borderCount += 1
      unsafe queue.base[owners.width * owners.height - borderCount] = UInt32(sample)
    }
  }
}
