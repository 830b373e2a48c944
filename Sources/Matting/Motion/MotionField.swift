import PixelTypes
import Processor

/// The motion vectors of a picture's blocks relative to an earlier picture, found by block
/// matching.
///
/// - The search starts on much smaller pictures, on which each step is large. On each finer level,
///   a block tries the vectors of the coarser blocks around it, and the steps around the best one.
/// - Blocks overlap: the square that is compared is larger than the part that a block represents.
/// - Only blocks that may come from near an edge of the matte are searched. Elsewhere the matte is
///   flat, so the vector does not matter.
final class MotionField {
  /// The maximum motion of a block in samples of the coarsest picture.
  private static let reach = 3
  /// The minimum width and height of the coarsest picture.
  private static let minExtent = 20
  /// Limits for the camera's noise as the sum of a block: a mean difference of 0.375 to 1.
  ///
  /// A larger difference may be motion.
  private static let possibleNoise = 24...MotionBlock.window * MotionBlock.window
  /// Mean difference from the best match above which a block was not in the earlier picture.
  private static let unmatchedDifference = 16.0
  /// The contrast from which the difference applies in full, and its minimum share below it.
  ///
  /// In a dim room, people differ little from the background. The mean deviation of luma was 16 in
  /// front of a plain wall in full light, and 2.4 at 15 % of the light. A third is above camera
  /// noise.
  private static let fullContrast = 16.0, minShare = 1.0 / 3
  /// The maximum of the shorter side of the level that judges the scene, in samples.
  ///
  /// On a larger picture a block may be as small as a lock of hair.
  private static let judgedExtent = 150

  private let differences: BlockDifferences
  /// The camera's noise: the sum of differences of a static block between the last two pictures.
  private(set) var noise = possibleNoise.upperBound
  /// The limit for the sum of differences of a block with a match, at the contrast of this picture.
  private var unmatchedLimit = 0
  /// Above this sum of differences, a block at least partly shows a new object.
  private var changedLimit: Int { unmatchedLimit / 2 }
  /// 1 for blocks that may have been between samples of the earlier picture.
  private let isBetween: Raster<UInt8>
  /// The levels from the finest to the coarsest.
  private let levels: [MotionLevel]
  /// Index of the level that decides whether the scene is still the same.
  private let judged: Int

  /// The pictures and levels of a search, all pictures of the same size.
  private struct Search {
    let earlier: Plane, current: Plane
    let level: MotionLevel
    let coarser: MotionLevel?
  }

  /// Allocates memory for pictures of `width` by `height`.
  ///
  /// Returns nil if they are smaller than a block with a margin of one sample.
  init?(width: Int, height: Int) {
    guard min(width, height) >= MotionBlock.window + 2 else { return nil }
    differences = BlockDifferences()
    var levels = [MotionLevel(width: width, height: height, finer: nil)]
    while let finer = levels.last, min(finer.width, finer.height) >= 2 * Self.minExtent {
      levels.append(
        MotionLevel(
          width: (finer.width + 1) / 2, height: (finer.height + 1) / 2, finer: finer))
    }
    self.levels = levels
    isBetween = Raster(width: levels[0].columns, height: levels[0].rows, filledWith: 0)
    judged = levels.firstIndex { min($0.width, $0.height) <= Self.judgedExtent } ?? levels.count - 1
  }

  /// The number of blocks per row, and of rows.
  var columns: Int { levels[0].columns }
  var rows: Int { levels[0].rows }
  /// The number of blocks of the level that judges the scene.
  var judgedBlocks: Int { levels[judged].columns * levels[judged].rows }
  /// The vector from each block to its earlier position, to the right and down.
  ///
  /// The unit is a sixteenth of a sample.
  var vectors: Raster<SIMD2<Int16>> { levels[0].vectors }

  /// The vector from a block to its earlier position, rounded down to samples.
  func wholeVector(_ row: Int, _ column: Int) -> MotionVector {
    levels[0].vector(row, column) &>> MotionBlock.fractionShift
  }

  /// Returns whether a block came from near an edge of the matte.
  ///
  /// Elsewhere alpha is fully background or fully person.
  func cameFromNearEdge(_ row: Int, _ column: Int) -> Bool {
    levels[0].isNearEdge(row, column, wholeVector(row, column))
  }

  /// Returns the first column `x`, from `column` on, that begins a square with motion.
  ///
  /// The square is between the columns `x` and `x + 1` and the rows `row` and `row + 1`. The values
  /// -1 for `column` and `row` mean the border before the first block.
  func nextMoved(from column: Int, betweenRow row: Int) -> Int? {
    let (above, below) = unsafe (vectors.row(max(row, 0)), vectors.row(min(row + 1, rows - 1)))
    func two(_ vectors: UnsafeMutablePointer<SIMD2<Int16>>, _ column: Int) -> UInt64 {
      unsafe UnsafeRawPointer(vectors + column).loadUnaligned(as: UInt64.self)
    }
    var next = max(column, 0)
    while next + 2 <= columns, unsafe two(above, next) | two(below, next) == 0 { next += 2 }
    while next < columns, unsafe above[next] | below[next] == .zero { next += 1 }
    guard next < columns else { return nil }
    // The square to the left of the block also touches the block.
    return max(next - 1, column)
  }

  /// Prepares the levels for an earlier picture and its matte.
  func begin(with picture: Plane, matte: Raster<UInt8>) {
    var finer = picture
    for level in levels.dropFirst() {
      level.reducer.reduce(finer, into: level.earlier)
      finer = level.earlier.plane
    }
    markParts(of: matte)
    let share = min(max(Self.contrast(of: picture) / Self.fullContrast, Self.minShare), 1)
    let samples = Double(MotionBlock.window * MotionBlock.window)
    unmatchedLimit = Int(Self.unmatchedDifference * share * samples)
  }

  /// Returns the mean deviation of a picture's samples from their mean, for one sample in 16.
  private static func contrast(of picture: Plane) -> Double {
    let rows = stride(from: 0, to: picture.height, by: 4)
    let columns = stride(from: 0, to: picture.width, by: 4)
    var count = 0, sum = 0, deviation = 0
    for y in rows {
      for x in columns {
        unsafe sum &+= Int(picture.row(y)[x])
        count &+= 1
      }
    }
    guard count > 0 else { return 0 }
    let mean = sum / count
    for y in rows {
      for x in columns { unsafe deviation &+= abs(Int(picture.row(y)[x]) &- mean) }
    }
    return Double(deviation) / Double(count)
  }

  /// Numbers of blocks that show how well the earlier picture predicts the last one.
  struct MatchCounts {
    /// Blocks near an edge of the matte without a match.
    var unmatched = 0
    /// Blocks of the background that show a new object, on the level that judges the scene.
    var changed = 0
    /// Blocks of the person, on the level that judges the scene.
    var people = 0
    /// Blocks of the person without a match in the earlier picture.
    var unmatchedPeople = 0
    /// Blocks of `unmatchedPeople` that the warped matte shows as part of the person.
    var shownUnmatchedPeople = 0
  }

  /// The counts of the last call of `find`.
  private(set) var matchCounts = MatchCounts()

  /// Finds the blocks of `picture` in the earlier picture, and sets `matchCounts`.
  func find(_ picture: Plane, in earlier: Plane) {
    var finer = picture
    for level in levels.dropFirst() {
      level.reducer.reduce(finer, into: level.current)
      finer = level.current.plane
    }
    matchCounts = MatchCounts()
    isBetween.fill(with: 0)
    measureNoise(picture, earlier)
    for index in levels.indices.reversed() {
      let level = levels[index]
      let search = Search(
        earlier: index == 0 ? earlier : level.earlier.plane,
        current: index == 0 ? picture : level.current.plane, level: level,
        coarser: index + 1 < levels.count ? levels[index + 1] : nil)
      if search.coarser == nil { searchWidely(search) } else { refine(search) }
      if index == judged { countUnmatchedPeople(level) }
    }
  }

  /// Refines the vectors of `find` for the same pictures to fractions of a sample.
  func align(_ picture: Plane, to earlier: Plane) {
    let level = levels[0]
    let search = Search(earlier: earlier, current: picture, level: level, coarser: nil)
    for row in 0..<rows {
      for column in 0..<columns where unsafe isBetween.row(row)[column] != 0 {
        let match = unmoved(search, row, column)
        let vector = wholeVector(row, column)
        let fraction = MotionVector(
          match.fraction(at: vector, MotionVector(1, 0)),
          match.fraction(at: vector, MotionVector(0, 1)))
        unsafe vectors.row(row)[column] &+= SIMD2(truncatingIfNeeded: fraction)
      }
    }
  }

  private func measureNoise(_ picture: Plane, _ earlier: Plane) {
    // Most blocks show the background, so every fourth is enough.
    differences.compare(picture, with: earlier, spacing: 2 * MotionBlock.window)
    let median = Int(differences.median * Double(MotionBlock.window * MotionBlock.window))
    noise = min(max(median, Self.possibleNoise.lowerBound), Self.possibleNoise.upperBound)
  }

  /// Marks the edges and the person in the blocks of the earlier picture.
  private func markParts(of matte: Raster<UInt8>) {
    levels[0].markParts(of: matte)
    for (finer, level) in zip(levels, levels.dropFirst()) { level.gatherParts(of: finer) }
  }

  /// Counts the person's blocks without a match in the earlier picture.
  private func countUnmatchedPeople(_ level: MotionLevel) {
    for row in 0..<level.rows {
      for column in 0..<level.columns where level.hasPerson(row, column) {
        matchCounts.people += 1
        guard unsafe level.isUnmatched.row(row)[column] != 0 else { continue }
        matchCounts.unmatchedPeople += 1
        if sourceHasPerson(level, row, column) { matchCounts.shownUnmatchedPeople += 1 }
      }
    }
  }

  /// Whether the match of a block in the earlier picture belonged to the person.
  private func sourceHasPerson(_ level: MotionLevel, _ row: Int, _ column: Int) -> Bool {
    // The finest level's vectors are in fractions of a sample.
    let shift = MotionBlock.spacingShift + (level === levels[0] ? MotionBlock.fractionShift : 0)
    let vector = level.vector(row, column) &>> shift
    return level.hasPerson(
      min(max(row + vector.y, 0), level.rows - 1),
      min(max(column + vector.x, 0), level.columns - 1))
  }

  /// Tries all vectors within `reach`.
  private func searchWidely(_ search: Search) {
    let level = search.level
    for row in 0..<level.rows {
      for column in 0..<level.columns {
        var match = start(search, row, column)
        if match.distance > 0 {
          for y in -Self.reach...Self.reach {
            for x in -Self.reach...Self.reach { match.consider(MotionVector(x, y)) }
          }
        }
        store(match, of: search, row, column)
      }
    }
  }

  /// Tries the vectors of the coarser blocks, and the steps around the best of them.
  private func refine(_ search: Search) {
    guard let coarser = search.coarser else { return }
    let level = search.level
    let isJudged = level === levels[judged]
    for row in 0..<level.rows {
      let parents = (row / 2, min(max(row / 2 + (row % 2 == 0 ? -1 : 1), 0), coarser.rows - 1))
      for column in 0..<level.columns {
        let columns = (
          column / 2, min(max(column / 2 + (column % 2 == 0 ? -1 : 1), 0), coarser.columns - 1)
        )
        let own = 2 &* coarser.vector(parents.0, columns.0)
        let beside = 2 &* coarser.vector(parents.0, columns.1)
        let above = 2 &* coarser.vector(parents.1, columns.0)
        let across = 2 &* coarser.vector(parents.1, columns.1)
        func isNearEdge(_ vector: MotionVector) -> Bool { level.isNearEdge(row, column, vector) }
        let isSearched =
          isJudged && level.hasPerson(row, column) || isNearEdge(.zero)
          || own != .zero && isNearEdge(own) || beside != own && isNearEdge(beside)
          || above != own && isNearEdge(above) || across != own && isNearEdge(across)
        guard isSearched else {
          if isJudged, start(search, row, column).distance > changedLimit {
            matchCounts.changed += 1
          }
          store(own, in: level, row, column)
          continue
        }
        var match = start(search, row, column)
        match.consider(own)
        match.consider(beside)
        match.consider(above)
        match.consider(across)
        let middle = match.vector
        if match.distance > noise {
          for y in -1...1 {
            for x in -1...1 where x != 0 || y != 0 {
              match.consider(middle &+ MotionVector(x, y))
            }
          }
        }
        store(match, of: search, row, column)
      }
    }
  }

  /// Stores the match of a block, and on the finest level whether it must be aligned.
  private func store(_ match: Match, of search: Search, _ row: Int, _ column: Int) {
    let level = search.level
    unsafe level.isUnmatched.row(row)[column] = match.distance > unmatchedLimit ? 1 : 0
    if level === levels[0] {
      if match.distance > changedLimit { matchCounts.unmatched += 1 }
      // A block that differs only by noise needs no subsample vector. For a static block, `start`
      // has already subtracted the noise once.
      let limit = match.vector == .zero ? 2 * noise : noise
      if match.distance > limit { unsafe isBetween.row(row)[column] = 1 }
    }
    store(match.vector, in: level, row, column)
  }

  private func store(_ vector: MotionVector, in level: MotionLevel, _ row: Int, _ column: Int) {
    let shift = level === levels[0] ? MotionBlock.fractionShift : 0
    unsafe level.vectors.row(row)[column] = SIMD2(truncatingIfNeeded: vector &<< shift)
  }

  /// Returns the first sample of a block's square, which has a margin of one sample on all sides.
  private func position(_ level: MotionLevel, _ row: Int, _ column: Int) -> (x: Int, y: Int) {
    let spacing = 1 << MotionBlock.spacingShift
    let margin = (MotionBlock.window - spacing) / 2
    return (
      min(max(column * spacing - margin, 1), level.width - MotionBlock.window - 1),
      min(max(row * spacing - margin, 1), level.height - MotionBlock.window - 1)
    )
  }

  /// Returns the match of a block without motion, with the noise subtracted from its distance.
  ///
  /// Otherwise noise would move static blocks.
  private func start(_ search: Search, _ row: Int, _ column: Int) -> Match {
    var match = unmoved(search, row, column)
    match.distance = max((match.distance(.zero) ?? 0) - noise, 0)
    return match
  }

  /// Returns the match of a block without motion, without its distance.
  private func unmoved(_ search: Search, _ row: Int, _ column: Int) -> Match {
    let level = search.level
    let (x, y) = position(level, row, column)
    return unsafe Match(
      block: UnsafePointer(search.current.row(y) + x), stride: search.current.stride,
      earlierBlock: UnsafePointer(search.earlier.row(y) + x), earlierStride: search.earlier.stride,
      columns: -x...level.width - MotionBlock.window - x,
      rows: -y...level.height - MotionBlock.window - y)
  }

  /// The best vector of a block so far.
  ///
  /// Safety: the pointers point into the pictures of a search, which must outlive this value.
  @safe private struct Match {
    let block: UnsafePointer<UInt8>
    let stride: Int
    /// The block at the same position in the earlier picture.
    let earlierBlock: UnsafePointer<UInt8>
    let earlierStride: Int
    /// The vectors that stay within the earlier picture.
    let columns: ClosedRange<Int>, rows: ClosedRange<Int>
    private let kernels = Processor.kernels
    var vector = MotionVector.zero
    var distance = 0

    mutating func consider(_ other: MotionVector) {
      guard distance > 0, other != vector, let found = distance(other), found < distance
      else { return }
      (vector, distance) = (other, found)
    }

    /// Returns the sum of differences for a vector, or nil outside of the earlier picture.
    func distance(_ vector: MotionVector) -> Int? {
      guard columns.contains(vector.x), rows.contains(vector.y) else { return nil }
      return unsafe kernels.blockDistance(
        block, stride, earlierBlock + vector.y * earlierStride + vector.x, earlierStride)
    }

    /// Returns the fraction to add to a vector along a unit vector, in sixteenths of a sample.
    ///
    /// It assumes that the sum of differences increases linearly, and equally fast, on both sides
    /// of the best match.
    func fraction(at vector: MotionVector, _ step: MotionVector) -> Int {
      guard let middle = distance(vector),
        let before = distance(vector &- step), let after = distance(vector &+ step),
        case let rise = max(before, after) - middle, rise > 0
      else { return 0 }
      let half = 1 << (MotionBlock.fractionShift - 1)
      return min(max(half * (before - after) / rise, -half), half)
    }
  }
}
