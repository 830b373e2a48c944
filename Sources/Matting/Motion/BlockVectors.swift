import PixelTypes

/// Two pictures of one size, the later one and the one where its content is looked for.
struct Pictures {
  let earlier: Plane, current: Plane
}

/// The vectors of the four blocks around a square, and what each of them says of the samples there.
///
/// A sample lies in all four. A block that shows the sample as it is knows best where that was: each
/// counts the less, the more it differs there (Kroeger et al. 2016, Fast Optical Flow using Dense
/// Inverse Search, equation 3).
struct BlockVectors {
  /// A vector in sixteenths of a sample, and the whole samples next to it.
  private struct Block {
    let x: Float, y: Float
    let columns: Int, rows: Int

    init(_ x: Int16, _ y: Int16) {
      (self.x, self.y) = (Float(x), Float(y))
      let half = 1 << (MotionBlock.fractionShift - 1)
      columns = (Int(x) + half) >> MotionBlock.fractionShift
      rows = (Int(y) + half) >> MotionBlock.fractionShift
    }
  }

  private let topLeft: Block, topRight: Block, bottomLeft: Block, bottomRight: Block
  /// Whether they say so nearly the same that it need not be found out which of them is right.
  private let agree: Bool
  private let pictures: Pictures

  /// Vectors that agree differ by at most a quarter of a sample.
  private static let crossCheck = 1 << (MotionBlock.fractionShift - 2)
  /// What differs by less differs by the camera's noise.
  private let noise: Float

  /// Takes the vectors of two blocks in a row and of the two below.
  ///
  /// `noise` is by what blocks that show the same differ.
  init(
    x: (Int16, Int16, Int16, Int16), y: (Int16, Int16, Int16, Int16), _ pictures: Pictures,
    noise: Int
  ) {
    topLeft = Block(x.0, y.0)
    topRight = Block(x.1, y.1)
    bottomLeft = Block(x.2, y.2)
    bottomRight = Block(x.3, y.3)
    func spread(_ values: (Int16, Int16, Int16, Int16)) -> Int {
      Int(max(values.0, values.1, values.2, values.3))
        - Int(min(values.0, values.1, values.2, values.3))
    }
    agree = spread(x) <= Self.crossCheck && spread(y) <= Self.crossCheck
    self.pictures = pictures
    // Four times its mean for a sample.
    self.noise = 4 * Float(noise) / Float(MotionBlock.window * MotionBlock.window)
  }

  /// Where four samples in a row were in the earlier picture, in sixteenths of a sample.
  ///
  /// They lie between the middles of the blocks to the left and to the right, and `down` eighths of the
  /// way from the middles of those above to those below. Beyond its borders a picture goes on as it ends.
  func positions(
    ofFourFrom column: Int, _ row: Int, down: Int
  ) -> (x: SIMD4<Int32>, y: SIMD4<Int32>) {
    let samples = Self.four(pictures.current, column, row)
    /// The nearer a block is, and the more like the sample what it says, the more it counts.
    func weights(_ block: Block, _ nearness: SIMD4<Float>) -> SIMD4<Float> {
      if agree { return nearness }
      let others = Self.four(pictures.earlier, column + block.columns, row + block.rows)
      var difference = samples - others
      difference.replace(with: -difference, where: difference .< 0)
      difference.replace(with: noise, where: difference .< noise)
      return nearness / difference
    }
    // Middles lie between two samples: the share of each is odd.
    let (left, right) = (SIMD4<Float>(7, 5, 3, 1), SIMD4<Float>(1, 3, 5, 7))
    let (above, below) = (Float(8 - down), Float(down))
    let weights = (
      weights(topLeft, left * above), weights(topRight, right * above),
      weights(bottomLeft, left * below), weights(bottomRight, right * below)
    )
    let scale = 1 / (weights.0 + weights.1 + weights.2 + weights.3)
    let (x, y) = (
      weights.0 * topLeft.x + weights.1 * topRight.x + weights.2 * bottomLeft.x
        + weights.3 * bottomRight.x,
      weights.0 * topLeft.y + weights.1 * topRight.y + weights.2 * bottomLeft.y
        + weights.3 * bottomRight.y
    )
    let shift = MotionBlock.fractionShift
    let columns = SIMD4<Int32>(0, 1, 2, 3) &+ Int32(column)
    return (
      columns &<< Int32(shift) &+ Self.rounded(x * scale),
      Self.rounded(y * scale) &+ Int32(row << shift)
    )
  }

  /// Four samples of a row, of which some may lie beyond the picture's borders.
  private static func four(_ picture: Plane, _ column: Int, _ row: Int) -> SIMD4<Float> {
    let row = unsafe picture.row(min(max(row, 0), picture.height - 1))
    func sample(_ column: Int) -> Float { unsafe Float(row[column]) }
    if column >= 0, column + 4 <= picture.width {
      return SIMD4(sample(column), sample(column + 1), sample(column + 2), sample(column + 3))
    }
    func clamped(_ column: Int) -> Float { sample(min(max(column, 0), picture.width - 1)) }
    return SIMD4(clamped(column), clamped(column + 1), clamped(column + 2), clamped(column + 3))
  }

  /// Rounds to the nearest, for values of a size of at most 2^22.
  ///
  /// A number with nothing after the point is what its last bits say; a conversion that checks
  /// each value takes several times as long.
  private static func rounded(_ values: SIMD4<Float>) -> SIMD4<Int32> {
    let whole: Float = 12_582_912  // 1.5 * 2^23
    return unsafe unsafeBitCast(values + whole, to: SIMD4<Int32>.self)
      &- Int32(bitPattern: whole.bitPattern)
  }
}
