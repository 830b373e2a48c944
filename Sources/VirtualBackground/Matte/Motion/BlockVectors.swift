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
  private let x: SIMD4<Int32>, y: SIMD4<Int32>
  /// The same in whole samples.
  private let columns: SIMD4<Int32>, rows: SIMD4<Int32>
  private let areOne: Bool
  private let pictures: Pictures

  private static let one = Int32(1) << MotionField.vectorShift
  /// Of a difference of 0 to 255: what is left of a block's weight, of 256.
  ///
  /// Below four it is noise.
  private static let weights = (0...255).map { Int32(1024 / max($0, 4)) }

  /// Takes the vectors, in the order of rows.
  init(x: SIMD4<Int32>, y: SIMD4<Int32>, _ pictures: Pictures) {
    self.x = x
    self.y = y
    columns = (x &+ Self.one / 2) &>> Int32(MotionField.vectorShift)
    rows = (y &+ Self.one / 2) &>> Int32(MotionField.vectorShift)
    areOne = x == SIMD4(repeating: x[0]) && y == SIMD4(repeating: y[0])
    self.pictures = pictures
  }

  /// Where a sample was in the earlier picture, in sixteenths of a sample; it lies `along` and `down`
  /// eighths of the way from the first block's middle to those of the others.
  func position(
    ofSample column: Int, _ row: Int, _ along: Int32, _ down: Int32
  ) -> (x: Int, y: Int) {
    let shift = MotionField.vectorShift
    if areOne { return (column << shift + Int(x[0]), row << shift + Int(y[0])) }
    let near = SIMD4(8 - along, along, 8 - along, along)
    var weights = near &* SIMD4(8 - down, 8 - down, down, down)
    let sample = unsafe Int(pictures.current.row(row)[column])
    let (width, height) = (pictures.earlier.width, pictures.earlier.height)
    for block in 0..<4 {
      let line = min(max(row + Int(rows[block]), 0), height - 1)
      let index = min(max(column + Int(columns[block]), 0), width - 1)
      let difference = unsafe abs(Int(pictures.earlier.row(line)[index]) - sample)
      weights[block] &*= Self.weights[difference]
    }
    let total = Int(weights.wrappedSum())
    func mean(_ vectors: SIMD4<Int32>) -> Int {
      Int((weights &* vectors).wrappedSum()) / total
    }
    return (column << shift + mean(x), row << shift + mean(y))
  }
}
