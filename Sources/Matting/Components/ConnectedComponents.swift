import PixelTypes

/// The connected components of a raster, found run by run.
///
/// A run is a range of adjacent samples of a row. Connectivity is 8-way: runs in adjacent rows that
/// touch, even diagonally, belong to one component. A picture with more runs or components than the
/// limits is noise, and is rejected.
package final class ConnectedComponents {
  /// A range of adjacent samples of a row.
  package struct Run: BitwiseCopyable {
    fileprivate let first: Int32, end: Int32
    /// The number of an earlier run of the same component, or of this run.
    fileprivate var parent: Int32
    fileprivate var number: Int32 = 0

    package var columns: Range<Int> { Int(first)..<Int(end) }
    /// The number of the run's component.
    package var component: Int { Int(number) }
  }

  /// The measurements of a component.
  package struct Component: BitwiseCopyable {
    /// The number of samples.
    package var area = 0
    /// Sum and maximum of the samples.
    package var sum = 0, peak: UInt8 = 0
    /// The bounding box, excluding the column `right` and the row `bottom`.
    package var left = Int.max, top = Int.max, right = 0, bottom = 0

    fileprivate mutating func add(_ run: Run, row y: Int) {
      let columns = run.columns
      area += columns.count
      (left, right) = (min(left, columns.lowerBound), max(right, columns.upperBound))
      (top, bottom) = (min(top, y), y + 1)
    }

    fileprivate mutating func measure(_ row: UnsafePointer<UInt8>, _ columns: Range<Int>) {
      var (sum, peak) = (UInt32(0), UInt8.min)
      for x in columns {
        let sample = unsafe row[x]
        sum &+= UInt32(sample)
        peak = sample > peak ? sample : peak
      }
      self.sum += Int(sum)
      self.peak = max(self.peak, peak)
    }

    /// Whether the network is certain of the component.
    ///
    /// The mean includes the soft edge.
    var isCertain: Bool { peak >= 224 && sum >= 160 * area }
  }

  /// The maximum number of components, more than any picture of people has.
  package static let maxCount = 256

  package let width: Int, height: Int
  /// The number of components.
  package private(set) var count = 0

  /// The runs from top to bottom and from left to right, and the number of each row's first run.
  private let runs: Raster<Run>
  private let firstRun: Raster<Int>
  private let components: Raster<Component>
  private var runCount = 0
  private var rowCount = 0

  package init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    // One run per 8 samples, for example 60 runs per row of 480 samples.
    let capacity = width * height / 8 + 2 * height
    runs = Raster(width: capacity, height: 1, filledWith: Run(first: 0, end: 0, parent: 0))
    firstRun = Raster(width: height + 1, height: 1, filledWith: 0)
    components = Raster(width: Self.maxCount, height: 1, filledWith: Component())
  }

  /// Removes all runs and starts again with row 0.
  package func begin() { (runCount, rowCount, count) = (0, 0, 0) }

  /// Adds a run to the current row, to the right of its other runs and without touching them.
  ///
  /// Returns false if there are too many runs.
  package func add(_ first: Int, _ end: Int) -> Bool {
    guard runCount < runs.width else { return false }
    unsafe runs.base[runCount] = Run(first: Int32(first), end: Int32(end), parent: Int32(runCount))
    runCount += 1
    return true
  }

  /// Completes a row, and joins its runs with the runs of the row above.
  func endRow() {
    rowCount += 1
    unsafe firstRun.base[rowCount] = runCount
    guard rowCount > 1 else { return }
    let (begin, end) = unsafe (firstRun.base[rowCount - 1], runCount)
    var (above, below) = unsafe (firstRun.base[rowCount - 2], begin)
    while above < begin, below < end {
      let (a, b) = unsafe (runs.base[above], runs.base[below])
      if a.first <= b.end, b.first <= a.end { join(above, below) }
      if a.end < b.end { above += 1 } else { below += 1 }
    }
  }

  /// Numbers the components after the last row, or returns false if there are too many.
  package func finish() -> Bool {
    for y in 0..<rowCount {
      for i in runs(inRow: y) {
        let run = unsafe runs.base[i]
        var number = count
        if run.parent == i {
          guard count < Self.maxCount else { return false }
          unsafe components.base[count] = Component()
          count += 1
        } else {
          // A root precedes all other runs of its tree.
          number = unsafe runs.base[root(of: i)].component
        }
        unsafe runs.base[i].number = Int32(number)
        unsafe components.base[number].add(run, row: y)
      }
    }
    return true
  }

  /// Finds the components of the samples with at least `threshold`, 1 to 255.
  ///
  /// Returns false if there are too many runs or components.
  package func find(atLeast threshold: UInt8, in matte: Raster<UInt8>) -> Bool {
    begin()
    for y in 0..<height {
      guard unsafe scan(matte.row(y), threshold) else { return false }
      endRow()
    }
    return finish()
  }

  /// Measures the sum and the maximum of the samples of each component.
  package func measure(_ matte: Raster<UInt8>) {
    forEachRun { y, run in
      unsafe components.base[run.component].measure(matte.row(y), run.columns)
    }
  }

  /// Returns the numbers of the runs of a row.
  package func runs(inRow y: Int) -> Range<Int> {
    unsafe firstRun.base[y]..<firstRun.base[y + 1]
  }

  /// Returns the run with a number.
  package func run(_ number: Int) -> Run { unsafe runs.base[number] }

  /// The component with a number below `count`.
  package subscript(number: Int) -> Component { unsafe components.base[number] }

  /// Returns the area of the largest component for which `isWanted` returns true.
  package func largestArea(where isWanted: (Int) -> Bool = { _ in true }) -> Int {
    (0..<count).reduce(0) { isWanted($1) ? max($0, self[$1].area) : $0 }
  }

  /// Returns whether a component is a body, not a part of the one with the largest area.
  ///
  /// A fifth of the area is less than half of the width and height.
  package func isBody(_ number: Int, largestArea: Int) -> Bool {
    5 * self[number].area >= largestArea
  }

  /// Calls `body` for each overlap of a run with a run of another picture of the same size.
  ///
  /// Passes the numbers of both components and the number of common samples.
  package func forEachOverlap(
    with other: ConnectedComponents, _ body: (_ own: Int, _ other: Int, _ samples: Int) -> Void
  ) {
    for y in 0..<min(rowCount, other.rowCount) {
      let (own, theirs) = (runs(inRow: y), other.runs(inRow: y))
      var (i, j) = (own.lowerBound, theirs.lowerBound)
      while i < own.upperBound, j < theirs.upperBound {
        let (a, b) = (run(i), other.run(j))
        let samples = min(a.end, b.end) - max(a.first, b.first)
        if samples > 0 { body(a.component, b.component, Int(samples)) }
        if a.end < b.end { i += 1 } else { j += 1 }
      }
    }
  }

  /// Calls `body` for each run, from top to bottom and from left to right.
  func forEachRun(_ body: (_ y: Int, _ run: Run) -> Void) {
    for y in 0..<rowCount {
      for i in runs(inRow: y) { body(y, run(i)) }
    }
  }

  /// Calls `body` for each run of a component.
  func forEachRun(of number: Int, _ body: (_ y: Int, _ columns: Range<Int>) -> Void) {
    for y in self[number].top..<self[number].bottom {
      for i in runs(inRow: y) where run(i).component == number { body(y, run(i).columns) }
    }
  }

  /// Returns the distance in samples from a component to the nearest of certain other components.
  ///
  /// Only components for which `isWanted` returns true count. Returns nil if the distance is more
  /// than `maxDistance`.
  package func distance(from number: Int, within maxDistance: Int, where isWanted: (Int) -> Bool)
    -> Double?
  {
    var minSquare = maxDistance * maxDistance + 1
    forEachRun(of: number) { y, run in
      for other in max(y - maxDistance, 0)..<min(y + maxDistance + 1, rowCount) {
        let dy = other - y
        guard dy * dy < minSquare else { continue }
        for j in runs(inRow: other) where isWanted(self.run(j).component) {
          let near = self.run(j).columns
          let dx = max(
            0, near.lowerBound - run.upperBound + 1, run.lowerBound - near.upperBound + 1)
          minSquare = min(minSquare, dx * dx + dy * dy)
        }
      }
    }
    return minSquare <= maxDistance * maxDistance ? Double(minSquare).squareRoot() : nil
  }

  /// Adds the runs of a row's samples with at least `threshold`.
  ///
  /// Returns false if there are too many runs.
  private func scan(_ row: UnsafePointer<UInt8>, _ threshold: UInt8) -> Bool {
    var x = 0
    var isInside = false
    while true {
      let first = x
      x = unsafe Self.end(of: row, from: x, width, threshold: threshold, isBelow: !isInside)
      if isInside, !add(first, x) { return false }
      if x == width { return true }
      isInside.toggle()
    }
  }

  /// Returns the end of the samples, from `first` on, on one side of the threshold.
  private static func end(
    of row: UnsafePointer<UInt8>, from first: Int, _ width: Int, threshold: UInt8, isBelow: Bool
  ) -> Int {
    var x = first
    // Most rows have long uniform ranges, which are skipped in steps without a branch per sample.
    let step = 32
    while x &+ step <= width {
      var low = UInt8.max
      var high = UInt8.min
      for i in 0..<step {
        let sample = unsafe row[x &+ i]
        low = sample < low ? sample : low
        high = sample > high ? sample : high
      }
      guard isBelow ? high < threshold : low >= threshold else { break }
      x &+= step
    }
    // Test eight samples at a time: set the high bit of each byte on the other side.
    let bytes = unsafe UnsafeRawPointer(row)
    let highBits: UInt64 = 0x8080_8080_8080_8080
    let distance = (threshold > 128 ? 256 : 128) &- UInt64(threshold)
    let bias = distance &* 0x0101_0101_0101_0101
    while x &+ 8 <= width {
      let word = unsafe UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: x, as: UInt64.self))
      // No sum overflows into the next byte.
      let sum = (word & ~highBits) &+ bias
      let above = (threshold > 128 ? sum & word : sum | word) & highBits
      let other = isBelow ? above : above ^ highBits
      x &+= other.trailingZeroBitCount / 8
      if other != 0 { return x }
    }
    while x < width, unsafe (row[x] < threshold) == isBelow { x &+= 1 }
    return x
  }

  private func root(of number: Int) -> Int {
    var i = number
    while true {
      let parent = unsafe Int(runs.base[i].parent)
      if parent == i { return i }
      let next = unsafe runs.base[parent].parent
      unsafe runs.base[i].parent = next
      i = Int(next)
    }
  }

  private func join(_ a: Int, _ b: Int) {
    let (first, second) = (root(of: a), root(of: b))
    unsafe runs.base[max(first, second)].parent = Int32(min(first, second))
  }
}
