import PixelTypes

/// The current picture, and an earlier one of the same size, in which the blocks of the current one
/// are searched for.
struct Pictures {
  let earlier: Plane, current: Plane
}

/// The vectors of four overlapping blocks, weighted for each sample of the square between their
/// centres.
///
/// Each sample of the square belongs to all four blocks. The weight of a block's vector decreases
/// with the difference between the sample and its match. This is equation 3 of Kroeger et al. 2016,
/// "Fast Optical Flow using Dense Inverse Search".
struct BlockVectors {
  /// A vector in sixteenths of a sample, and rounded to whole samples.
  private struct Block {
    let vector: SIMD2<Float>, whole: MotionVector

    init(_ vector: SIMD2<Int16>) {
      self.vector = SIMD2(vector)
      let half = 1 << (MotionBlock.fractionShift - 1)
      whole = (MotionVector(truncatingIfNeeded: vector) &+ half) &>> MotionBlock.fractionShift
    }
  }

  private let topLeft: Block, topRight: Block, bottomLeft: Block, bottomRight: Block
  /// Whether the vectors are so similar that the differences of the samples do not matter.
  private let agree: Bool
  private let pictures: Pictures

  /// The maximum difference between vectors that agree: a quarter of a sample.
  private static let maxSpread = Int32(1 << (MotionBlock.fractionShift - 2))
  /// The maximum difference of a sample that is due to camera noise.
  private let noise: Float

  /// Creates the value from the vectors of two adjacent blocks and of the two below them.
  ///
  /// `noise` is the sum of differences of a block due to camera noise.
  init(
    _ a: SIMD2<Int16>, _ b: SIMD2<Int16>, below c: SIMD2<Int16>, _ d: SIMD2<Int16>,
    _ pictures: Pictures, noise: Int
  ) {
    (topLeft, topRight, bottomLeft, bottomRight) = (Block(a), Block(b), Block(c), Block(d))
    let maximum = SIMD2<Int32>(
      truncatingIfNeeded: pointwiseMax(pointwiseMax(a, b), pointwiseMax(c, d)))
    let minimum = SIMD2<Int32>(
      truncatingIfNeeded: pointwiseMin(pointwiseMin(a, b), pointwiseMin(c, d)))
    agree = (maximum &- minimum).max() <= Self.maxSpread
    self.pictures = pictures
    // Four times the mean per sample.
    self.noise = 4 * Float(noise) / Float(MotionBlock.window * MotionBlock.window)
  }

  /// Returns the positions of four adjacent samples in the earlier picture, in sixteenths of a
  /// sample.
  ///
  /// The samples are between the centres of the blocks on the left and on the right. `down` is how
  /// far they are below the centres of the upper blocks, in eighths of the distance between the
  /// upper and the lower centres. Samples at the border of a picture are repeated beyond it.
  func positions(
    ofFourFrom column: Int, _ row: Int, down: Int
  ) -> (x: SIMD4<Int32>, y: SIMD4<Int32>) {
    let samples = Self.four(pictures.current, column, row)
    /// Returns weights that increase with the nearness of a block and the similarity of its match.
    func weights(_ block: Block, _ nearness: SIMD4<Float>) -> SIMD4<Float> {
      if agree { return nearness }
      let others = Self.four(pictures.earlier, column + block.whole.x, row + block.whole.y)
      var difference = samples - others
      difference.replace(with: -difference, where: difference .< 0)
      difference.replace(with: noise, where: difference .< noise)
      return nearness / difference
    }
    // The centre of a block is between two samples, so all shares are odd.
    let (left, right) = (SIMD4<Float>(7, 5, 3, 1), SIMD4<Float>(1, 3, 5, 7))
    let (above, below) = (Float(8 - down), Float(down))
    let weights = (
      weights(topLeft, left * above), weights(topRight, right * above),
      weights(bottomLeft, left * below), weights(bottomRight, right * below)
    )
    let scale = 1 / (weights.0 + weights.1 + weights.2 + weights.3)
    let (a, b) = (topLeft.vector, topRight.vector)
    let (c, d) = (bottomLeft.vector, bottomRight.vector)
    let x = weights.0 * a.x + weights.1 * b.x + weights.2 * c.x + weights.3 * d.x
    let y = weights.0 * a.y + weights.1 * b.y + weights.2 * c.y + weights.3 * d.y
    let shift = MotionBlock.fractionShift
    let columns = SIMD4<Int32>(0, 1, 2, 3) &+ Int32(column)
    return (
      columns &<< Int32(shift) &+ Self.rounded(x * scale),
      Self.rounded(y * scale) &+ Int32(row << shift)
    )
  }

  /// Returns four adjacent samples, some of which may be beyond the picture's borders.
  private static func four(_ picture: Plane, _ column: Int, _ row: Int) -> SIMD4<Float> {
    let row = unsafe picture.row(min(max(row, 0), picture.height - 1))
    func sample(_ column: Int) -> Float { unsafe Float(row[column]) }
    if column >= 0, column + 4 <= picture.width {
      return SIMD4(sample(column), sample(column + 1), sample(column + 2), sample(column + 3))
    }
    func clamped(_ column: Int) -> Float { sample(min(max(column, 0), picture.width - 1)) }
    return SIMD4(clamped(column), clamped(column + 1), clamped(column + 2), clamped(column + 3))
  }

  /// Rounds to the nearest integer, for magnitudes of at most 2^22.
  ///
  /// Adding `whole` moves the integer into the lowest bits. A checked conversion of each value
  /// takes several times as long.
  private static func rounded(_ values: SIMD4<Float>) -> SIMD4<Int32> {
    let whole: Float = 12_582_912  // 1.5 * 2^23
    return unsafe unsafeBitCast(values + whole, to: SIMD4<Int32>.self)
      &- Int32(bitPattern: whole.bitPattern)
  }
}
