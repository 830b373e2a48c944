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
    /// A kept sample at which the second pass starts, until that pass keeps it again.
    case border
    /// Reached from a dropped sample, from which a pass starts, until the end of the pass.
    case reached
  }

  /// The minimum alpha of a visible sample, which a path may use.
  private static let minVisible: UInt8 = 3

  private var owners: Raster<Owner>
  /// The owners of the previous inference.
  private var before: Raster<Owner>
  /// The reached samples, from the front, and the kept samples next to them, from the back.
  ///
  /// The queue contains each sample at most once.
  private let queue: Raster<UInt32>
  private var reachedCount = 0, borderCount = 0
  private var findsBorder = false
  /// The minimum alpha of the samples that are reached.
  private var minAlpha = minVisible
  /// Whether `owners` belong to the last inference.
  package private(set) var isFresh = false

  /// Allocates memory for mattes on `grid`.
  init(grid: MatteGrid) {
    owners = Raster(width: grid.width, height: grid.height, filledWith: .undecided)
    before = Raster(width: grid.width, height: grid.height, filledWith: .undecided)
    queue = Raster(width: grid.width, height: grid.height, filledWith: 0)
  }

  /// Marks the map as stale, after an inference or a break that it did not process.
  package func reset() { isFresh = false }

  /// Marks all components of the last inference as kept.
  ///
  /// Call this if all of them were shown.
  package func recall(_ runs: ConnectedComponents) { assign(runs) { _ in .kept } }

  /// Assigns the components of `runs` to their owners.
  ///
  /// If `owner` returns nil, the samples of a component keep their owners of the last inference.
  /// Samples that had no owner are dropped if `isDropped` returns true.
  func assign(
    _ runs: ConnectedComponents, isDropped: (_ x: Int, _ y: Int) -> Bool = { _, _ in false },
    to owner: (Int) -> Owner?
  ) {
    swap(&owners, &before)
    owners.fill(with: .undecided)
    isFresh = true
    runs.forEachRun { y, run in
      let (row, former) = unsafe (owners.row(y), before.row(y))
      if let owner = owner(run.component) {
        for x in run.columns { unsafe row[x] = owner }
        return
      }
      for x in run.columns {
        unsafe row[x] = former[x] == .undecided && isDropped(x, y) ? .dropped : former[x]
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
    (reachedCount, borderCount) = (0, 0)
    if let threshold {
      minAlpha = threshold
      spread(from: runs, in: matte)
      emptyReached(matte)
      minAlpha = Self.minVisible
      reachedCount = 0
    }
    findsBorder = true
    spread(from: runs, in: matte)
    findsBorder = false
    if borderCount > 0 {
      // Kept samples are near: spread from both owners in steps, so that the nearer owner gets a
      // sample.
      for i in 0..<reachedCount { unsafe owners.base[Int(queue.base[i])] = .undecided }
      reachedCount = 0
      let last = matte.width * matte.height
      for i in 0..<borderCount {
        let sample = unsafe Int(queue.base[last - 1 - i])
        unsafe owners.base[sample] = .kept
        spread(around: sample, in: matte)
      }
      spread(from: runs, in: matte)
    }
    emptyReached(matte)
    forEachDropped(of: runs) { sample in unsafe matte.base[sample] = 0 }
  }

  private func emptyReached(_ matte: Raster<UInt8>) {
    for i in 0..<reachedCount {
      let sample = unsafe Int(queue.base[i])
      guard unsafe owners.base[sample] == .reached else { continue }
      unsafe owners.base[sample] = .dropped
      unsafe matte.base[sample] = 0
    }
  }

  /// Returns the number of kept samples in a component of `runs`.
  package func keptArea(of component: Int, in runs: ConnectedComponents) -> Int {
    var area = 0
    runs.forEachRun(of: component) { y, columns in
      let row = unsafe owners.row(y)
      for x in columns where unsafe row[x] != .dropped { area += 1 }
    }
    return area
  }

  /// Returns the columns of a run from the first kept sample to the last one.
  package func kept(of columns: Range<Int>, row y: Int) -> Range<Int> {
    let row = unsafe owners.row(y)
    guard let first = columns.first(where: { unsafe row[$0] != .dropped }),
      let last = columns.last(where: { unsafe row[$0] != .dropped })
    else { return 0..<0 }
    return first..<last + 1
  }

  /// Calls `body` for each dropped sample of the components, not for soft samples around them.
  private func forEachDropped(of runs: ConnectedComponents, _ body: (Int) -> Void) {
    runs.forEachRun { y, run in
      for x in run.columns where unsafe owners.row(y)[x] == .dropped {
        body(y * owners.width + x)
      }
    }
  }

  private func spread(from runs: ConnectedComponents, in matte: Raster<UInt8>) {
    forEachDropped(of: runs) { spread(around: $0, in: matte) }
    var next = 0
    while next < reachedCount {
      let sample = unsafe Int(queue.base[next])
      next += 1
      spread(around: sample, in: matte)
    }
  }

  private func spread(around sample: Int, in matte: Raster<UInt8>) {
    let (width, height) = (matte.width, matte.height)
    let (x, y) = (sample % width, sample / width)
    let start = unsafe owners.base[sample]
    let owner = start == .dropped ? Owner.reached : start
    if x > 0 { visit(sample - 1, for: owner, in: matte) }
    if x + 1 < width { visit(sample + 1, for: owner, in: matte) }
    if y > 0 { visit(sample - width, for: owner, in: matte) }
    if y + 1 < height { visit(sample + width, for: owner, in: matte) }
  }

  private func visit(_ sample: Int, for owner: Owner, in matte: Raster<UInt8>) {
    let present = unsafe owners.base[sample]
    if present == .undecided, unsafe matte.base[sample] >= minAlpha {
      unsafe owners.base[sample] = owner
      unsafe queue.base[reachedCount] = UInt32(sample)
      reachedCount += 1
    } else if findsBorder, present == .kept {
      unsafe owners.base[sample] = .border
      borderCount += 1
      unsafe queue.base[owners.width * owners.height - borderCount] = UInt32(sample)
    }
  }
}
