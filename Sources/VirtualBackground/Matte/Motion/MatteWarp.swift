import PixelTypes

/// Moves the matte of an earlier frame with the picture, for a frame that has none of its own.
final class MatteWarp {
  /// The moved matte.
  let matte: Matte

  private let field: MotionField?
  private let interpolation = CubicInterpolation()

  /// Allocates memory for mattes on `grid`.
  init(grid: MatteGrid, kernels: any RowKernels.Type) {
    matte = Matte(grid: grid)
    field = MotionField(width: grid.width, height: grid.height, kernels: kernels)
  }

  /// At most this share of a picture's blocks may be unmatched in a frame that needs no matte of its own.
  private static let mostUnmatched = 0.01
  /// So many blocks of the room may change there; a head far away has more.
  private static let mostChanged = 4
  /// Alpha that is farther apart does not approach.
  private static let farthestApproach: Int16 = 64

  /// Whether the picture was found so well in the earlier one that its moved matte is nearly as
  /// good as a new one.
  var isGood: Bool {
    guard let field else { return false }
    let blocks = Double(field.columns * field.rows)
    return Double(field.agreement.unmatched) <= Self.mostUnmatched * blocks
      && field.agreement.changed <= Self.mostChanged
  }

  /// Takes the matte that is moved from now on, and the picture that it was made of.
  func begin(with earlier: Raster<UInt8>, picture: Plane) {
    field?.begin(with: picture, matte: earlier)
  }

  /// Looks for the content of `picture` in the picture `before`.
  ///
  /// Returns false where it shows another scene.
  func find(_ picture: Plane, in before: Plane) -> Bool {
    field?.find(picture, in: before) ?? true
  }

  /// Moves the matte `earlier` to where the content of the picture `before` was found in `picture`.
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

  /// Puts the moved matte half way to `own`, which was made of the same frame.
  ///
  /// Where the two are far apart something new is seen there, or was uncovered: that is taken as it is.
  func approach(_ own: Raster<UInt8>) {
    let out = matte.samples
    for i in 0..<out.width * out.height {
      let (moved, next) = unsafe (Int16(out.base[i]), Int16(own.base[i]))
      let isNear = abs(moved &- next) <= Self.farthestApproach
      unsafe out.base[i] = UInt8(truncatingIfNeeded: isNear ? (moved &+ next &+ 1) >> 1 : next)
    }
  }

  /// Fills the square between the middles of four blocks: of a row and a column and of those after.
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
    func four(_ vectors: Raster<Int16>) -> (Int16, Int16, Int16, Int16) {
      let (above, below) = unsafe (vectors.row(top), vectors.row(bottom))
      return unsafe (above[left], above[right], below[left], below[right])
    }
    let vectors = BlockVectors(
      x: four(field.x), y: four(field.y), pictures, noise: field.noise)
    for line in lines {
      let samples = unsafe out.row(line)
      let positions = vectors.positions(
        ofFourFrom: firstX, line, down: 2 * (line - firstY) + 1)
      for index in columns {
        unsafe samples[index] = interpolation.sample(
          earlier, Int(positions.x[index - firstX]), Int(positions.y[index - firstX]))
      }
    }
  }

  /// The first sample after the middle of a block.
  private static func middle(_ block: Int) -> Int {
    block << MotionBlock.spacingShift + 1 << (MotionBlock.spacingShift - 1)
  }

  /// The samples from the middle of a block to that of the next, as far as there are any.
  private static func square(from middle: Int, limit: Int) -> Range<Int> {
    let end = min(middle + 1 << MotionBlock.spacingShift, limit)
    return min(max(middle, 0), end)..<end
  }

  /// The alpha of a block that comes from the midst of the person or the room.
  private func flatAlpha(
    _ earlier: Raster<UInt8>, _ row: Int, _ column: Int, _ field: MotionField
  ) -> UInt8? {
    if field.layNearEdge(row, column) { return nil }
    let vector = unsafe (
      Int(field.x.row(row)[column]) >> MotionBlock.fractionShift,
      Int(field.y.row(row)[column]) >> MotionBlock.fractionShift
    )
    let x = column << MotionBlock.spacingShift + vector.0
    let y = row << MotionBlock.spacingShift + vector.1
    return unsafe earlier.row(min(max(y, 0), earlier.height - 1))[
      min(max(x, 0), earlier.width - 1)]
  }
}
