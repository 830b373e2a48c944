import PixelTypes

/// A plane of unrounded numbers.
///
/// Outside it, the edge samples are repeated.
public struct RealPlane {
  /// Samples in a row.
  public let width: Int
  /// Number of rows.
  public let height: Int
  private var samples: [Double]

  /// Computes every sample.
  public init(_ width: Int, _ height: Int, _ sample: (_ x: Int, _ y: Int) -> Double) {
    self.width = width
    self.height = height
    samples = (0..<height).flatMap { y in (0..<width).map { x in sample(x, y) } }
  }

  /// A sample, or the nearest one at the edge.
  public subscript(x: Int, y: Int) -> Double {
    samples[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
  }

  /// Interpolates the four samples around a place.
  ///
  /// (0, 0) is the middle of the first sample.
  public func interpolated(_ x: Double, _ y: Double) -> Double {
    // Outside the middles of the edge samples, their values apply.
    let x = min(max(x, 0), Double(width - 1))
    let y = min(max(y, 0), Double(height - 1))
    let (left, top) = (Int(x), Int(y))
    let (right, down) = (x - Double(left), y - Double(top))
    return (self[left, top] * (1 - right) + self[left + 1, top] * right) * (1 - down)
      + (self[left, top + 1] * (1 - right) + self[left + 1, top + 1] * right) * down
  }

  /// Returns `width` by `height` interpolated samples, a step apart.
  ///
  /// The blocks of the first interpolated sample and of the first sample begin at the same point.
  public func scaled(_ width: Int, _ height: Int, stepX: Double, stepY: Double) -> RealPlane {
    RealPlane(width, height) { x, y in
      interpolated((Double(x) + 0.5) * stepX - 0.5, (Double(y) + 0.5) * stepY - 0.5)
    }
  }
}
