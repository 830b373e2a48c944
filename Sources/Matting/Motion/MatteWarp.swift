import PixelTypes

/// Warps the matte of an earlier frame to a frame without an inference.
final class MatteWarp {
  /// The warped matte.
  let matte: Matte

  private let field: MotionField?
  private let interpolation = CubicInterpolation()
  private var isPrepared = false
  /// The share of unmatched blocks in the last search.
  private var unmatched = 0.0

  init(grid: MatteGrid) {
    matte = Matte(grid: grid)
    field = MotionField(width: grid.width, height: grid.height)
  }

  /// How well the last inferred matte fits a picture after warping.
  enum Fit {
    /// Nearly as well as a new matte.
    case good
    /// Good enough until the next inference: it shows at most 1 % of the frame too much.
    case fair
    /// The scene is the same, but the matte would show too much of the real background.
    case poor
    /// Another scene: much of the person was not found, or the person has left.
    case otherScene

    /// Whether the warped matte may be shown.
    var isShowable: Bool { self == .good || self == .fair }
  }

  /// The maximum share of unmatched blocks near the matte's edge in a good fit, and of the person's
  /// blocks that show another object in a fair fit.
  ///
  /// If a person vanishes in front of a plain wall, the blocks near the edge match the wall. Only
  /// the blocks in the middle are then unmatched.
  private static let maxUnmatched = 0.01
  /// The maximum number of changed background blocks in a good fit.
  ///
  /// A distant head covers more blocks.
  private static let maxChangedOfGood = 4
  /// The maximum number of unmatched blocks near the edge in a fair fit, as a share of all blocks.
  ///
  /// Measured with people walking out at 15 to 120 pixels per frame of 720 lines. With 1.5 %
  /// unmatched blocks, at most 0.9 % of the frame was shown next to them. With 2 %, it was 1.4 %.
  private static let maxUnmatchedOfFair = 0.015
  /// The maximum product of the share of unmatched blocks and the matte's age in seconds.
  ///
  /// The limit removes small errors after a while.
  private static let maxUnmatchedTimesAge = 0.004
  /// The maximum share of the person's blocks that show another object in a fair fit.
  ///
  /// Measured: at least 0.35 when people vanish, and at most 0.2 while people talk.
  private static let maxShownUnmatchedOfFair = 0.2
  /// The maximum share of unmatched blocks of the person within the same scene.
  ///
  /// Measured: at least 0.49 when people vanish, and at most 0.35 while people wave their hands.
  private static let maxUnmatchedOfSameScene = 0.4
  /// The maximum difference of alpha between the warped and the new matte for blending.
  private static let maxBlendDifference: Int16 = 64

  /// Searches the picture `before` for the content of `picture`.
  ///
  /// `age` is the age of the matte of `before` in nanoseconds.
  func find(_ picture: Plane, in before: Plane, age: UInt64) -> Fit {
    // Without a field, the picture is smaller than a block.
    guard let field else { return .poor }
    field.find(picture, in: before)
    let found = field.matchCounts
    let people = Double(found.people)
    if Double(found.unmatchedPeople) > Self.maxUnmatchedOfSameScene * people { return .otherScene }
    unmatched = Double(found.unmatched) / Double(field.columns * field.rows)
    guard unmatched <= Self.maxUnmatchedOfFair,
      unmatched * Double(age) / 1e9 <= Self.maxUnmatchedTimesAge,
      Double(found.shownUnmatchedPeople)
        <= min(
          Self.maxShownUnmatchedOfFair * people,
          Self.maxUnmatched * Double(field.judgedBlocks))
    else { return .poor }
    return unmatched <= Self.maxUnmatched && found.changed <= Self.maxChangedOfGood ? .good : .fair
  }

  /// Returns whether the fit is probably still good at `laterAge`, if it is good now at `age`.
  ///
  /// People move about evenly in so short a time.
  func staysGood(from age: UInt64, until laterAge: UInt64) -> Bool {
    unmatched * Double(laterAge) <= Self.maxUnmatched * Double(age)
  }

  /// Prepares the search for the matte `earlier` and its picture.
  ///
  /// Does nothing if it was called since the last `invalidate()`.
  func prepare(_ earlier: Raster<UInt8>, picture: Plane) {
    guard !isPrepared else { return }
    field?.begin(with: picture, matte: earlier)
    isPrepared = true
  }

  /// Marks the prepared matte as outdated.
  func invalidate() { isPrepared = false }

  /// Warps the matte `earlier` of the picture `before` to `picture`, with the vectors of `find`.
  func move(_ earlier: Raster<UInt8>, from before: Plane, to picture: Plane) {
    let out = matte.samples
    unsafe out.base.update(from: earlier.base, count: out.width * out.height)
    guard let field else { return }
    field.align(picture, to: before)
    let pictures = Pictures(earlier: before, current: picture)
    for row in -1..<field.rows {
      var column = -1
      while let next = field.nextMoved(from: column, betweenRow: row) {
        move(earlier, pictures, betweenRow: row, column: next, field)
        column = next + 1
      }
    }
  }

  /// Blends a warped matte equally with `own`, the inferred matte of the same frame.
  ///
  /// Samples with a large difference are copied from `own`, because an object appeared or was
  /// uncovered there.
  static func approach(_ out: Raster<UInt8>, to own: Raster<UInt8>) {
    for i in 0..<out.width * out.height {
      let (moved, next) = unsafe (Int16(out.base[i]), Int16(own.base[i]))
      let isNear = abs(moved &- next) <= maxBlendDifference
      unsafe out.base[i] = UInt8(truncatingIfNeeded: isNear ? (moved &+ next &+ 1) >> 1 : next)
    }
  }

  /// Fills the square between the centres of four blocks, the upper left one at `row` and `column`.
  private func move(
    _ earlier: Raster<UInt8>, _ pictures: Pictures, betweenRow row: Int, column: Int,
    _ field: MotionField
  ) {
    let (top, bottom) = (max(row, 0), min(row + 1, field.rows - 1))
    let (left, right) = (max(column, 0), min(column + 1, field.columns - 1))
    let firstX = Self.middle(column), firstY = Self.middle(row)
    let out = matte.samples
    let lines = Self.square(from: firstY, limit: out.height)
    let columns = Self.square(from: firstX, limit: out.width)
    let corners = (
      flatAlpha(earlier, top, left, field), flatAlpha(earlier, top, right, field),
      flatAlpha(earlier, bottom, left, field), flatAlpha(earlier, bottom, right, field)
    )
    if let alpha = corners.0, corners == (alpha, alpha, alpha, alpha) {
      for line in lines {
        unsafe (out.row(line) + columns.lowerBound).update(repeating: alpha, count: columns.count)
      }
      return
    }
    let (above, below) = unsafe (field.vectors.row(top), field.vectors.row(bottom))
    let vectors = unsafe BlockVectors(
      above[left], above[right], below: below[left], below[right], pictures, noise: field.noise)
    for line in lines {
      let samples = unsafe out.row(line)
      let positions = vectors.positions(ofFourFrom: firstX, line, down: 2 * (line - firstY) + 1)
      for index in columns {
        unsafe samples[index] = interpolation.sample(
          earlier, Int(positions.x[index - firstX]), Int(positions.y[index - firstX]))
      }
    }
  }

  /// Returns the first sample after the centre of a block.
  private static func middle(_ block: Int) -> Int {
    block << MotionBlock.spacingShift + 1 << (MotionBlock.spacingShift - 1)
  }

  /// Returns the samples from the centre of a block to the centre of the next, within the matte.
  private static func square(from middle: Int, limit: Int) -> Range<Int> {
    let end = min(middle + 1 << MotionBlock.spacingShift, limit)
    return min(max(middle, 0), end)..<end
  }

  /// Returns the alpha of a block that comes from far inside or outside of the person.
  ///
  /// Returns nil for blocks that come from near an edge.
  private func flatAlpha(
    _ earlier: Raster<UInt8>, _ row: Int, _ column: Int, _ field: MotionField
  ) -> UInt8? {
    if field.cameFromNearEdge(row, column) { return nil }
    let vector = field.wholeVector(row, column)
    let x = column << MotionBlock.spacingShift + vector.x
    let y = row << MotionBlock.spacingShift + vector.y
    return unsafe earlier.row(min(max(y, 0), earlier.height - 1))[
      min(max(x, 0), earlier.width - 1)]
  }
}
