import Glibc
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

  /// Returns the mean of each square block of `1 << shift` samples per side.
  public func shrunk(_ shift: Int) -> RealPlane {
    let size = 1 << shift
    return RealPlane((width + size - 1) / size, (height + size - 1) / size) { x, y in
      var sum = 0.0
      for dy in 0..<size { for dx in 0..<size { sum += self[x * size + dx, y * size + dy] } }
      return sum / Double(size * size)
    }
  }

  /// Returns the plane blurred by a Gaussian of three sigma per side.
  public func blurred(sigma: Double) -> RealPlane {
    let radius = max(Int((3 * sigma).rounded(.up)), 1)
    let taps = (-radius...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let total = taps.reduce(0, +)
    func sum(_ sample: (Int) -> Double) -> Double {
      var sum = 0.0
      for (tap, weight) in taps.enumerated() { sum += weight / total * sample(tap - radius) }
      return sum
    }
    let rows = RealPlane(width, height) { x, y in sum { self[x + $0, y] } }
    return RealPlane(width, height) { x, y in sum { rows[x, y + $0] } }
  }

  /// Returns the first `extentX` by `extentY` samples scaled to `width` by `height`.
  ///
  /// The triangle filter is as wide as the step, and at least as wide as a sample.
  public func filtered(_ width: Int, _ height: Int, extentX: Double, extentY: Double) -> RealPlane {
    func taps(_ count: Int, _ extent: Double, _ sourceCount: Int) -> [[(Int, Double)]] {
      let step = extent / Double(count)
      return (0..<count).map { i in
        let centre = (Double(i) + 0.5) * step - 0.5
        let weights = (0..<sourceCount).map { 1 - abs(Double($0) - centre) / max(step, 1) }
        let total = weights.filter { $0 > 0 }.reduce(0, +)
        return weights.enumerated().filter { $0.1 > 0 }.map { ($0.0, $0.1 / total) }
      }
    }
    let columns = taps(width, extentX, self.width)
    let rows = taps(height, extentY, self.height)
    let summed = RealPlane(self.width, height) { x, y in
      rows[y].reduce(0) { $0 + $1.1 * self[x, $1.0] }
    }
    return RealPlane(width, height) { x, y in
      columns[x].reduce(0) { $0 + $1.1 * summed[$1.0, y] }
    }
  }
}
