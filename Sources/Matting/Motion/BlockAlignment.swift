import PixelTypes

/// Finds where a block lies between the samples of another picture, by inverse compositional
/// alignment (Baker and Matthews 2004, Lucas-Kanade 20 Years On).
///
/// Not thread-safe; its owner uses it on one thread at a time.
final class BlockAlignment {
  private static let one = Float(1 << MotionBlock.fractionShift)
  /// More steps gain nothing.
  private static let steps = 3
  /// Added to the squares of the slopes, so that what has none in a direction stays there.
  private static let damping: Float = 4096
  /// What comes out farther from where it began has gone astray.
  private static let reach: Float = 3 * one

  private let kernels: any RowKernels.Type
  private let slopes = Raster<Int16>(width: 64, height: 2, filledWith: 0)
  private let sums = Raster<Int32>(width: 3, height: 1, filledWith: 0)

  init(kernels: any RowKernels.Type) {
    self.kernels = kernels
  }

  /// Where in `earlier` the block at `x` and `y` of `picture` lay, less where it is, in sixteenths of
  /// a sample; about `vector` samples away.
  ///
  /// Both pictures have one size, and at least one sample on all sides of the block.
  func align(
    _ picture: Plane, _ x: Int, _ y: Int, to earlier: Plane, near vector: MotionVector
  ) -> MotionVector {
    let block = unsafe UnsafePointer(picture.row(y) + x)
    let (across, down) = unsafe (slopes.row(0), slopes.row(1))
    unsafe kernels.blockSlopes(block, picture.stride, across, down, sums.base)
    let (xx, xy, yy) = unsafe (
      Float(sums.base[0]) + Self.damping, Float(sums.base[1]), Float(sums.base[2]) + Self.damping
    )
    // Slopes are twice those of a sample, differences sixteen times.
    let scale = -2 / (xx * yy - xy * xy)
    let (window, shift) = (MotionBlock.window, MotionBlock.fractionShift)
    let last = (
      x: (earlier.width - window) << shift - 1,
      y: (earlier.height - window) << shift - 1
    )
    let start = (x: Float(x + vector.x) * Self.one, y: Float(y + vector.y) * Self.one)
    var found = start
    for _ in 0..<Self.steps {
      let column = min(max(Int(found.x.rounded()), 0), last.x)
      let row = min(max(Int(found.y.rounded()), 0), last.y)
      let mask = 1 << shift - 1
      unsafe kernels.blockOffset(
        block, picture.stride,
        earlier.row(row >> shift) + column >> shift, earlier.stride,
        column & mask, row & mask, across, down, sums.base)
      let (alongX, alongY) = unsafe (Float(sums.base[0]), Float(sums.base[1]))
      found.x = Float(column) + scale * (yy * alongX - xy * alongY)
      found.y = Float(row) + scale * (xx * alongY - xy * alongX)
    }
    guard max(abs(found.x - start.x), abs(found.y - start.y)) <= Self.reach else {
      return MotionVector(x: vector.x << shift, y: vector.y << shift)
    }
    return MotionVector(
      x: Int(found.x.rounded()) - x << shift,
      y: Int(found.y.rounded()) - y << shift)
  }
}
