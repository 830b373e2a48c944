import PixelTypes

/// The connected components of a raster, found run by run.
///
/// A run is a stretch of a row whose samples belong together; runs of neighbouring rows that touch, be
/// it at their corners, are of one component. The numbers of runs and of components are limited: a
/// picture that has more, which is noise and no silhouette, is refused.
package final class ConnectedComponents {
  /// A stretch of a row.
  package struct Run: BitwiseCopyable {
    /// Its first column, and the one after its last.
    package var first: Int32, end: Int32
    /// An earlier run of the same component, or itself.
    fileprivate var parent: Int32
    /// The number of its component.
    package fileprivate(set) var component: Int32

    package var count: Int { Int(end - first) }
  }

  /// What is known of a component.
  package struct Component: BitwiseCopyable {
    /// Number of samples.
    package var area = 0
    /// Sum of the samples, and the greatest of them.
    package var sum = 0, peak: UInt8 = 0
    /// The rectangle that it fills: from `left` and `top` to before `right` and `bottom`.
    package var left = Int.max, top = Int.max, right = 0, bottom = 0

    fileprivate mutating func take(_ run: Run, row y: Int) {
      area += run.count
      left = min(left, Int(run.first))
      right = max(right, Int(run.end))
      top = min(top, y)
      bottom = y + 1
    }

    fileprivate mutating func measure(_ samples: UnsafePointer<UInt8>, _ count: Int) {
      var sum: UInt32 = 0
      var peak = UInt8.min
      for i in 0..<count {
        let sample = unsafe samples[i]
        sum &+= UInt32(sample)
        peak = sample > peak ? sample : peak
      }
      self.sum += Int(sum)
      self.peak = max(self.peak, peak)
    }

    /// The mean of the samples.
    package var mean: Int { area > 0 ? sum / area : 0 }
  }

  /// More components than any picture of people has.
  package static let maxCount = 256

  package let width: Int, height: Int
  /// Number of components.
  package private(set) var count = 0

  /// The runs from top to bottom and from left to right, and where each row's begin.
  private let runs: Raster<Run>
  private let firstRun: Raster<Int>
  private let components: Raster<Component>
  private var runCount = 0
  private var rowCount = 0

  /// Allocates memory for rasters of `width` by `height`.
  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
    // An eighth of the samples: 60 runs in each row of a matte of 480.
    let capacity = width * height / 8 + 2 * height
    runs = Raster(
      width: capacity, height: 1, filledWith: Run(first: 0, end: 0, parent: 0, component: 0))
    firstRun = Raster(width: height + 1, height: 1, filledWith: 0)
    components = Raster(width: Self.maxCount, height: 1, filledWith: Component())
  }

  /// Forgets the runs; those of row 0 are to come.
  package func begin() {
    (runCount, rowCount, count) = (0, 0, 0)
  }

  /// Adds a run to the right of those of its row, and not touching them; false when there is no
  /// room.
  package func add(_ first: Int, _ end: Int) -> Bool {
    guard runCount < runs.width else { return false }
    unsafe runs.base[runCount] = Run(
      first: Int32(first), end: Int32(end), parent: Int32(runCount), component: 0)
    runCount += 1
    return true
  }

  /// Joins the runs of a row, now complete, to those above.
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

  /// Numbers the components once all rows are there; false when there are too many.
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
          // A root comes before all others of its tree.
          number = unsafe Int(runs.base[root(of: i)].component)
        }
        unsafe runs.base[i].component = Int32(number)
        unsafe components.base[number].take(run, row: y)
      }
    }
    return true
  }

  /// Finds the components of the samples of at least `threshold`, which is 1 to 255; false when there are
  /// too many runs or components.
  package func find(atLeast threshold: UInt8, in matte: Raster<UInt8>) -> Bool {
    begin()
    for y in 0..<height {
      guard unsafe scan(matte.row(y), threshold) else { return false }
      endRow()
    }
    return finish()
  }

  /// Adds up the samples of each component.
  package func measure(_ matte: Raster<UInt8>) {
    for y in 0..<rowCount {
      let row = unsafe UnsafePointer(matte.row(y))
      for i in runs(inRow: y) {
        let run = unsafe runs.base[i]
        unsafe components.base[Int(run.component)].measure(row + Int(run.first), run.count)
      }
    }
  }

  /// The numbers of the runs of a row.
  package func runs(inRow y: Int) -> Range<Int> {
    unsafe firstRun.base[y]..<firstRun.base[y + 1]
  }

  /// The run of a number.
  package func run(_ number: Int) -> Run { unsafe runs.base[number] }

  /// The component of a run.
  package func component(of number: Int) -> Int { unsafe Int(runs.base[number].component) }

  /// The component of a number below `count`.
  package subscript(number: Int) -> Component { unsafe components.base[number] }

  /// Tells which components lie on which of another picture of the same size, and by how many
  /// samples at a time.
  package func forEachOverlap(
    with other: ConnectedComponents, _ body: (_ own: Int, _ other: Int, _ samples: Int) -> Void
  ) {
    for y in 0..<min(rowCount, other.rowCount) {
      let (own, theirs) = (runs(inRow: y), other.runs(inRow: y))
      var (i, j) = (own.lowerBound, theirs.lowerBound)
      while i < own.upperBound, j < theirs.upperBound {
        let (a, b) = (run(i), other.run(j))
        let samples = min(a.end, b.end) - max(a.first, b.first)
        if samples > 0 { body(Int(a.component), Int(b.component), Int(samples)) }
        if a.end < b.end { i += 1 } else { j += 1 }
      }
    }
  }

  /// The distance in samples from a component to the nearest that `isWanted`; nil when it is more
  /// than `most`.
  package func distance(from number: Int, within most: Int, where isWanted: (Int) -> Bool)
    -> Double?
  {
    let box = self[number]
    var least = most * most + 1
    for y in box.top..<box.bottom {
      for i in runs(inRow: y) where component(of: i) == number {
        let run = run(i)
        for other in max(y - most, 0)..<min(y + most + 1, rowCount) {
          let dy = other - y
          guard dy * dy < least else { continue }
          for j in runs(inRow: other) where isWanted(component(of: j)) {
            let near = self.run(j)
            let dx = Int(max(0, near.first - run.end + 1, run.first - near.end + 1))
            least = min(least, dx * dx + dy * dy)
          }
        }
      }
    }
    return least <= most * most ? Double(least).squareRoot() : nil
  }

  /// Adds the runs of the row's samples of at least `threshold`.
  private func scan(_ row: UnsafePointer<UInt8>, _ threshold: UInt8) -> Bool {
    let width = width
    var x = 0
    var isInside = false
    while true {
      let first = x
      x = unsafe Self.end(
        of: row, from: x, width, threshold: threshold, isBelow: !isInside)
      if isInside, !add(first, x) { return false }
      if x == width { return true }
      isInside.toggle()
    }
  }

  /// Where the samples from `first` on stop to lie on one side of the threshold.
  private static func end(
    of row: UnsafePointer<UInt8>, from first: Int, _ width: Int, threshold: UInt8, isBelow: Bool
  ) -> Int {
    var x = first
    // Most rows are alike over long stretches: these are walked in steps that take no branch each.
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
    // Eight at a time: the high bit of each byte that lies on the other side, the first byte lowest.
    let bytes = unsafe UnsafeRawPointer(row)
    let highBits: UInt64 = 0x8080_8080_8080_8080
    let distance = (threshold > 128 ? 256 : 128) &- UInt64(threshold)
    let bias = distance &* 0x0101_0101_0101_0101
    while x &+ 8 <= width {
      let word = unsafe UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: x, as: UInt64.self))
      // No sum reaches the next byte.
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
    if first < second {
      unsafe runs.base[second].parent = Int32(first)
    } else {
      unsafe runs.base[first].parent = Int32(second)
    }
  }
}
