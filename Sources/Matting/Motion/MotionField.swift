import PixelTypes

/// Where each block of a picture lay in an earlier one, found by comparing blocks.
///
/// First on pictures that are much smaller, where a step is a large one, then on finer ones, where
/// each block tries what was found for the coarser ones around it and the steps beside the best of
/// these. Blocks overlap: each is a square in the middle of which lies the part that it speaks for.
/// Only what may come from near an edge of the matte is searched; elsewhere the matte is the same
/// wherever it came from.
final class MotionField {
  /// Samples of the coarsest picture by which a block may have moved.
  private static let reach = 3
  /// The coarsest picture has at least so many samples each way.
  private static let minExtent = 20
  /// The camera's noise is taken to be a mean difference of 0.375 at least, and of 1 at most: what makes
  /// more may be a motion.
  private static let possibleNoise = 24...MotionBlock.window * MotionBlock.window
  /// Blocks that differ by more than this from all that was tried are not of the earlier picture.
  private static let strangeness = 16.0
  /// Blocks that differ by more than this from all that was tried show something else, be it in part.
  private static let difference = 8.0
  /// The contrast from which on both count in full, and the least share of them in darker pictures.
  ///
  /// In a dim room people differ from it by little. The mean deviation of luma was 16 before a
  /// plain wall in full light and 2.4 at 15 % of the light. A third is above the noise of cameras.
  private static let fullContrast = 16.0, minShare = 1.0 / 3
  /// Where a picture is no larger than this, a block is a part of a person and not one of their hairs.
  private static let extentOfJudgement = 150

  private let kernels: any RowKernels.Type
  private let alignment: BlockAlignment
  private let differences: BlockDifferences
  /// By so much a block at rest differs from itself in the last pictures: the camera's noise.
  private(set) var noise = possibleNoise.upperBound
  /// `strangeness` and `difference` for the contrast of this picture, as the sum of a block.
  private var (strange, different) = (0, 0)
  /// 1 for blocks that lay between samples of the earlier picture, or may have.
  private let isBetween: Raster<UInt8>
  /// From the finest to the coarsest.
  private let levels: [MotionLevel]
  /// The level by which it is decided whether it is still the same scene.
  private let judged: Int

  /// Two pictures of one size, and where to look for what.
  private struct Search {
    let earlier: Plane, current: Plane
    let level: MotionLevel
    let coarser: MotionLevel?
  }

  /// Allocates memory for pictures of `width` by `height`; nil if they are smaller than a block
  /// and its surroundings.
  init?(width: Int, height: Int, kernels: any RowKernels.Type) {
    guard min(width, height) >= MotionBlock.window + 2 else { return nil }
    self.kernels = kernels
    alignment = BlockAlignment(kernels: kernels)
    differences = BlockDifferences(kernels: kernels)
    var levels = [MotionLevel(width: width, height: height, finer: nil, kernels: kernels)]
    while let finer = levels.last, min(finer.width, finer.height) >= 2 * Self.minExtent {
      levels.append(
        MotionLevel(
          width: (finer.width + 1) / 2, height: (finer.height + 1) / 2, finer: finer,
          kernels: kernels))
    }
    self.levels = levels
    isBetween = Raster(width: levels[0].columns, height: levels[0].rows, filledWith: 0)
    judged =
      levels.firstIndex { min($0.width, $0.height) <= Self.extentOfJudgement } ?? levels.count - 1
  }

  /// Blocks in a row, and rows of them.
  var columns: Int { levels[0].columns }
  var rows: Int { levels[0].rows }
  /// Blocks of the level by which the scene is judged.
  var judgedBlocks: Int { levels[judged].columns * levels[judged].rows }
  /// How many sixteenths of a sample to the right, and how many below, each block lay in the earlier
  /// picture.
  var x: Raster<Int16> { levels[0].x }
  var y: Raster<Int16> { levels[0].y }

  /// Whether a block lay near an edge of the matte; elsewhere alpha is all room or all person.
  func layNearEdge(_ row: Int, _ column: Int) -> Bool {
    let vector = unsafe MotionVector(
      x: Int(x.row(row)[column]) >> MotionBlock.fractionShift,
      y: Int(y.row(row)[column]) >> MotionBlock.fractionShift)
    return levels[0].isNearEdge(row, column, vector)
  }

  /// The first column from `column` on that, or the one after, has a block that moved in row `row` or
  /// the row after; a row before the first and a column before the first are beside those.
  func nextMoved(from column: Int, betweenRow row: Int) -> Int? {
    let (above, below) = (max(row, 0), min(row + 1, rows - 1))
    let x = unsafe (x.row(above), x.row(below))
    let y = unsafe (y.row(above), y.row(below))
    func moved(_ column: Int) -> Bool {
      unsafe x.0[column] | x.1[column] | y.0[column] | y.1[column] != 0
    }
    func four(_ vectors: UnsafeMutablePointer<Int16>, _ column: Int) -> UInt64 {
      unsafe UnsafeRawPointer(vectors + column).loadUnaligned(as: UInt64.self)
    }
    var next = max(column, 0)
    while next + 4 <= columns,
      unsafe four(x.0, next) | four(x.1, next) | four(y.0, next) | four(y.1, next) == 0
    {
      next += 4
    }
    while next < columns, !moved(next) { next += 1 }
    guard next < columns else { return nil }
    // The one before it borders on it.
    return max(next - 1, column)
  }

  /// Takes the earlier picture, and its matte.
  func begin(with picture: Plane, matte: Raster<UInt8>) {
    var finer = picture
    for level in levels.dropFirst() {
      level.reducer.reduce(finer, into: level.earlier)
      finer = level.earlier.plane
    }
    markParts(of: matte)
    let share = min(max(Self.contrast(of: picture) / Self.fullContrast, Self.minShare), 1)
    let samples = Double(MotionBlock.window * MotionBlock.window)
    (strange, different) = (
      Int(Self.strangeness * share * samples), Int(Self.difference * share * samples)
    )
  }

  /// Returns the mean deviation of some of a picture's samples from their mean.
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

  /// How well the last picture was explained by the earlier one, in blocks.
  struct CrossCheck {
    /// Those near an edge of the matte whose content was not found.
    var unmatched = 0
    /// Those of the room that show something new, on the level by which the scene is judged.
    var changed = 0
    /// The person's blocks on that level.
    var people = 0
    /// The person's blocks without a match in the earlier picture.
    var strangers = 0
    /// The strangers that the warped matte shows as part of the person.
    var shownStrangers = 0
  }

  /// How well the last call of `find` explained its picture.
  private(set) var crossCheck = CrossCheck()

  /// Finds the blocks of `picture` in the earlier picture, and sets `crossCheck`.
  func find(_ picture: Plane, in earlier: Plane) {
    var finer = picture
    for level in levels.dropFirst() {
      level.reducer.reduce(finer, into: level.current)
      finer = level.current.plane
    }
    crossCheck = CrossCheck()
    isBetween.fill(with: 0)
    measureNoise(picture, earlier)
    for index in levels.indices.reversed() {
      let level = levels[index]
      let search = Search(
        earlier: index == 0 ? earlier : level.earlier.plane,
        current: index == 0 ? picture : level.current.plane, level: level,
        coarser: index + 1 < levels.count ? levels[index + 1] : nil)
      if search.coarser == nil { searchWidely(search) } else { refine(search) }
      if index == judged { countStrangers(level) }
    }
  }

  /// Finds the fractions of the vectors that `find` found for the same pictures.
  func align(_ picture: Plane, to earlier: Plane) {
    let level = levels[0]
    for row in 0..<rows {
      let (x, y) = unsafe (level.x.row(row), level.y.row(row))
      for column in 0..<columns where unsafe isBetween.row(row)[column] != 0 {
        let position = position(level, row, column)
        let vector = unsafe alignment.align(
          picture, position.x, position.y, to: earlier,
          near: MotionVector(
            x: Int(x[column]) >> MotionBlock.fractionShift,
            y: Int(y[column]) >> MotionBlock.fractionShift))
        unsafe x[column] = Int16(vector.x)
        unsafe y[column] = Int16(vector.y)
      }
    }
  }

  private func measureNoise(_ picture: Plane, _ earlier: Plane) {
    // Most blocks are of the room: some of them are enough.
    differences.compare(picture, with: earlier, spacing: 2 * MotionBlock.window)
    let median = Int(differences.median * Double(MotionBlock.window * MotionBlock.window))
    noise = min(max(median, Self.possibleNoise.lowerBound), Self.possibleNoise.upperBound)
  }

  /// Finds out where the person is in the earlier picture.
  private func markParts(of matte: Raster<UInt8>) {
    levels[0].markParts(of: matte, kernels)
    for (finer, level) in zip(levels, levels.dropFirst()) { level.gatherParts(of: finer) }
  }

  /// Counts the person's blocks without a match in the earlier picture.
  private func countStrangers(_ level: MotionLevel) {
    for row in 0..<level.rows {
      for column in 0..<level.columns where level.hasPerson(row, column) {
        crossCheck.people += 1
        guard unsafe level.isStrange.row(row)[column] != 0 else { continue }
        crossCheck.strangers += 1
        if sourceHasPerson(level, row, column) { crossCheck.shownStrangers += 1 }
      }
    }
  }

  /// Whether the match of a block in the earlier picture belonged to the person.
  private func sourceHasPerson(_ level: MotionLevel, _ row: Int, _ column: Int) -> Bool {
    // The finest level's vectors are in fractions of a sample.
    let shift = MotionBlock.spacingShift + (level === levels[0] ? MotionBlock.fractionShift : 0)
    let (x, y) = unsafe (Int(level.x.row(row)[column]), Int(level.y.row(row)[column]))
    return level.hasPerson(
      min(max(row + y >> shift, 0), level.rows - 1),
      min(max(column + x >> shift, 0), level.columns - 1))
  }

  /// Tries all vectors within reach.
  private func searchWidely(_ search: Search) {
    let level = search.level
    for row in 0..<level.rows {
      for column in 0..<level.columns {
        var match = start(search, row, column)
        if match.distance > 0 {
          for y in -Self.reach...Self.reach {
            for x in -Self.reach...Self.reach { match.consider(MotionVector(x: x, y: y), kernels) }
          }
        }
        unsafe level.isStrange.row(row)[column] = match.distance > strange ? 1 : 0
        store(match, of: search, row, column)
      }
    }
  }

  /// Tries what the coarser blocks found, and the steps around the best of it.
  private func refine(_ search: Search) {
    guard let coarser = search.coarser else { return }
    let level = search.level
    let isJudged = level === levels[judged], isFinest = level === levels[0]
    for row in 0..<level.rows {
      let parents = (row / 2, min(max(row / 2 + (row % 2 == 0 ? -1 : 1), 0), coarser.rows - 1))
      for column in 0..<level.columns {
        let columns = (
          column / 2, min(max(column / 2 + (column % 2 == 0 ? -1 : 1), 0), coarser.columns - 1)
        )
        func vector(_ row: Int, _ column: Int) -> MotionVector {
          unsafe MotionVector(
            x: 2 * Int(coarser.x.row(row)[column]), y: 2 * Int(coarser.y.row(row)[column]))
        }
        let own = vector(parents.0, columns.0)
        let beside = vector(parents.0, columns.1)
        let above = vector(parents.1, columns.0)
        let across = vector(parents.1, columns.1)
        func isNearEdge(_ vector: MotionVector) -> Bool { level.isNearEdge(row, column, vector) }
        let isSearched =
          isJudged && level.hasPerson(row, column) || isNearEdge(MotionVector())
          || own != MotionVector() && isNearEdge(own) || beside != own && isNearEdge(beside)
          || above != own && isNearEdge(above) || across != own && isNearEdge(across)
        guard isSearched else {
          if isJudged, start(search, row, column).distance > different {
            crossCheck.changed += 1
          }
          let shift = isFinest ? MotionBlock.fractionShift : 0
          unsafe level.x.row(row)[column] = Int16(own.x << shift)
          unsafe level.y.row(row)[column] = Int16(own.y << shift)
          continue
        }
        var match = start(search, row, column)
        match.consider(own, kernels)
        match.consider(beside, kernels)
        match.consider(above, kernels)
        match.consider(across, kernels)
        let middle = match.vector
        if match.distance > noise {
          for y in -1...1 {
            for x in -1...1 where x != 0 || y != 0 {
              match.consider(MotionVector(x: middle.x + x, y: middle.y + y), kernels)
            }
          }
        }
        unsafe level.isStrange.row(row)[column] = match.distance > strange ? 1 : 0
        store(match, of: search, row, column)
      }
    }
  }

  /// Keeps what was found for a block, and on the finest level whether it agrees and is to be aligned.
  private func store(_ match: Match, of search: Search, _ row: Int, _ column: Int) {
    let level = search.level
    let isFinest = level === levels[0]
    if isFinest {
      if match.distance > different { crossCheck.unmatched += 1 }
      // What differs by the camera's noise alone is where it is. What rests shall go on resting: from its
      // distance `start` has taken the noise once already.
      let limit = match.vector == MotionVector() ? 2 * noise : noise
      if match.distance > limit { unsafe isBetween.row(row)[column] = 1 }
    }
    let shift = isFinest ? MotionBlock.fractionShift : 0
    unsafe level.x.row(row)[column] = Int16(match.vector.x << shift)
    unsafe level.y.row(row)[column] = Int16(match.vector.y << shift)
  }

  /// The first sample of the square that is compared for a block; there is one on each side of it.
  private func position(_ level: MotionLevel, _ row: Int, _ column: Int) -> (x: Int, y: Int) {
    let spacing = 1 << MotionBlock.spacingShift
    let margin = (MotionBlock.window - spacing) / 2
    return (
      min(max(column * spacing - margin, 1), level.width - MotionBlock.window - 1),
      min(max(row * spacing - margin, 1), level.height - MotionBlock.window - 1)
    )
  }

  /// A block at rest; that is preferred, or noise would move what does not move.
  private func start(_ search: Search, _ row: Int, _ column: Int) -> Match {
    let level = search.level
    let (x, y) = position(level, row, column)
    var match = unsafe Match(
      block: UnsafePointer(search.current.row(y) + x), stride: search.current.stride,
      earlierBlock: UnsafePointer(search.earlier.row(y) + x), earlierStride: search.earlier.stride,
      columns: -x...level.width - MotionBlock.window - x,
      rows: -y...level.height - MotionBlock.window - y)
    match.distance = unsafe max(
      kernels.blockDistance(match.block, match.stride, match.earlierBlock, match.earlierStride)
        - noise, 0)
    return match
  }

  /// The best vector of a block so far.
  ///
  /// Safety: points into the pictures of a search, and does not outlive it.
  @safe private struct Match {
    let block: UnsafePointer<UInt8>
    let stride: Int
    /// The block of the same position in the earlier picture.
    let earlierBlock: UnsafePointer<UInt8>
    let earlierStride: Int
    /// Vectors that stay within the earlier picture.
    let columns: ClosedRange<Int>, rows: ClosedRange<Int>
    var vector = MotionVector()
    var distance = 0

    mutating func consider(_ other: MotionVector, _ kernels: any RowKernels.Type) {
      guard distance > 0, other != vector, columns.contains(other.x), rows.contains(other.y)
      else { return }
      let found = unsafe kernels.blockDistance(
        block, stride, earlierBlock + other.y * earlierStride + other.x, earlierStride)
      if found < distance { (vector, distance) = (other, found) }
    }
  }
}
