import PixelTypes
import Processor

/// Statistics of the differences between two pictures, block by block at the same position.
///
/// With a static camera, the differences of most blocks are only noise.
final class BlockDifferences {
  /// The mean difference of the block with the largest difference, in code values.
  private(set) var maximum = 0.0
  /// The median of the blocks' mean differences in code values, at most 8, or 0 without blocks.
  private(set) var median = 0.0

  /// Bins of the histogram, each a sixteenth of a code value, except for the open-ended last one.
  private static let steps = 128, stepsPerValue = 16

  private let counts = Raster<Int32>(width: steps, height: 1, filledWith: 0)

  /// Compares the blocks of two pictures of the same size, `spacing` samples apart.
  func compare(_ picture: Plane, with earlier: Plane, spacing: Int = MotionBlock.window) {
    let kernels = kernels
    let window = MotionBlock.window
    (maximum, median) = (0, 0)
    guard min(picture.width, picture.height) >= window else { return }
    counts.fill(with: 0)
    var (blocks, maxDistance) = (0, 0)
    for y in stride(from: 0, to: picture.height, by: spacing) {
      let y = min(y, picture.height - window)
      let (row, earlierRow) = unsafe (picture.row(y), earlier.row(y))
      for x in stride(from: 0, to: picture.width, by: spacing) {
        let x = min(x, picture.width - window)
        let distance = unsafe kernels.blockDistance(
          row + x, picture.stride, earlierRow + x, earlier.stride)
        maxDistance = max(maxDistance, distance)
        blocks += 1
        let step = distance * Self.stepsPerValue / (window * window)
        unsafe counts.base[min(step, Self.steps - 1)] += 1
      }
    }
    maximum = Double(maxDistance) / Double(window * window)
    var seen = 0
    for step in 0..<Self.steps {
      seen += unsafe Int(counts.base[step])
      guard 2 * seen < blocks else {
        median = Double(step + 1) / Double(Self.stepsPerValue)
        return
      }
    }
  }
}
