import PixelTypes
import Processor

/// Finds the subsample position of a block in another picture.
///
/// Uses inverse compositional alignment (Baker and Matthews 2004, Lucas-Kanade 20 Years On).
/// Not thread-safe.
final class BlockAlignment {
  private static let one = Float(1 << MotionBlock.fractionShift)
  /// The number of iterations, above which more have no benefit.
  private static let steps = 3
  /// A damping term for the sums of squared slopes.
  ///
  /// Without slope in a direction, a block does not move in that direction.
  private static let damping: Float = 4096
  /// The maximum distance from the start, in sixteenths of a sample.
  ///
  /// Beyond it, the iteration has diverged.
  private static let maxDistance: Float = 3 * one

  private let slopes = Raster<Int16>(width: 64, height: 2, filledWith: 0)
  private let sums = Raster<Int32>(width: 3, height: 1, filledWith: 0)

  /// Returns the vector from the block at `x` and `y` of `picture` to its position in `earlier`.
  ///
  /// The result is in sixteenths of a sample, and close to `vector`, which is in samples. Both
  /// pictures have the same size, and at least one sample on all sides of the block.
  func align(
    _ picture: Plane, _ x: Int, _ y: Int, to earlier: Plane, near vector: MotionVector
  ) -> MotionVector {
    let kernels = kernels
    let block = unsafe UnsafePointer(picture.row(y) + x)
    let (across, down) = unsafe (slopes.row(0), slopes.row(1))
    unsafe kernels.blockSlopes(block, picture.stride, across, down, sums.base)
    let (xx, xy, yy) = unsafe (
      Float(sums.base[0]) + Self.damping, Float(sums.base[1]), Float(sums.base[2]) + Self.damping
    )
    // The kernels return slopes times 2 and differences times 16.
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
    guard max(abs(found.x - start.x), abs(found.y - start.y)) <= Self.maxDistance else {
      return MotionVector(x: vector.x << shift, y: vector.y << shift)
    }
    return MotionVector(
      x: Int(found.x.rounded()) - x << shift,
      y: Int(found.y.rounded()) - y << shift)
  }
}
