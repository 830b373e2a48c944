import PixelTypes

/// Two pictures of one size, the later one and the one where its content is looked for.
struct Pictures {
  let earlier: Plane, current: Plane
}

/// The vectors of the four blocks around a square, and what each of them says of a sample there.
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
  private static let agreement = 1 << (MotionBlock.fractionShift - 2)
  /// A smaller difference is the camera's noise.
  private static let noise = 4

  /// Takes the vectors of two blocks in a row and of the two below.
  init(x: (Int16, Int16, Int16, Int16), y: (Int16, Int16, Int16, Int16), _ pictures: Pictures) {
    topLeft = Block(x.0, y.0)
    topRight = Block(x.1, y.1)
    bottomLeft = Block(x.2, y.2)
    bottomRight = Block(x.3, y.3)
    func spread(_ values: (Int16, Int16, Int16, Int16)) -> Int {
      Int(max(values.0, values.1, values.2, values.3))
        - Int(min(values.0, values.1, values.2, values.3))
    }
    agree = spread(x) <= Self.agreement && spread(y) <= Self.agreement
    self.pictures = pictures
  }

  /// Where a sample was in the earlier picture, in sixteenths of a sample; it lies `along` and `down`
  /// eighths of the way from the first block's middle to those of the others.
  func position(ofSample column: Int, _ row: Int, _ along: Int, _ down: Int) -> (x: Int, y: Int) {
    let sample = unsafe Int(pictures.current.row(row)[column])
    let (width, height) = (pictures.earlier.width, pictures.earlier.height)
    /// The nearer a block is, and the more like the sample what it says, the more it counts.
    func weight(_ block: Block, _ nearness: Int) -> Float {
      if agree { return Float(nearness) }
      let line = min(max(row + block.rows, 0), height - 1)
      let index = min(max(column + block.columns, 0), width - 1)
      let difference = unsafe abs(Int(pictures.earlier.row(line)[index]) - sample)
      return Float(nearness) / Float(max(difference, Self.noise))
    }
    let (left, above) = (8 - along, 8 - down)
    let weights = (
      weight(topLeft, left * above), weight(topRight, along * above),
      weight(bottomLeft, left * down), weight(bottomRight, along * down)
    )
    let scale = 1 / (weights.0 + weights.1 + weights.2 + weights.3)
    let (first, second) = (
      weights.0 * topLeft.x + weights.1 * topRight.x + weights.2 * bottomLeft.x
        + weights.3 * bottomRight.x,
      weights.0 * topLeft.y + weights.1 * topRight.y + weights.2 * bottomLeft.y
        + weights.3 * bottomRight.y
    )
    // Positive when it is converted: rounded to nearest without a call.
    let longest: Float = 32_768
    func rounded(_ sum: Float) -> Int { Int(sum * scale + longest + 0.5) - Int(longest) }
    return (
      column << MotionBlock.fractionShift + rounded(first),
      row << MotionBlock.fractionShift + rounded(second)
    )
  }
}
