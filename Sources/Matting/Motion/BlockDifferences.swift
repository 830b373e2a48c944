import PixelTypes

/// How much the blocks of a picture differ from those of another one at the same place.
///
/// Where the camera rests, most blocks differ by its noise alone.
final class BlockDifferences {
  /// The mean difference of the block that differs most, in code values.
  private(set) var greatest = 0.0
  /// The mean difference that at least half of the blocks stay below, in code values, at most 8; 0 where
  /// there are no blocks.
  private(set) var median = 0.0

  /// Differences are counted in steps of a sixteenth of a code value, the last for all above.
  private static let steps = 128, stepsPerValue = 16

  private let kernels: any RowKernels.Type
  private let counts = Raster<Int32>(width: steps, height: 1, filledWith: 0)

  init(kernels: any RowKernels.Type) {
    self.kernels = kernels
  }

  /// Compares the blocks of two pictures of one size, each `spacing` samples from the one before.
  func compare(_ picture: Plane, with earlier: Plane, spacing: Int = MotionBlock.window) {
    let window = MotionBlock.window
    (greatest, median) = (0, 0)
    guard min(picture.width, picture.height) >= window else { return }
    counts.fill(with: 0)
    var (blocks, most) = (0, 0)
    for y in stride(from: 0, to: picture.height, by: spacing) {
      let y = min(y, picture.height - window)
      let (row, earlierRow) = unsafe (picture.row(y), earlier.row(y))
      for x in stride(from: 0, to: picture.width, by: spacing) {
        let x = min(x, picture.width - window)
        let distance = unsafe kernels.blockDistance(
          row + x, picture.stride, earlierRow + x, earlier.stride)
        most = max(most, distance)
        blocks += 1
        let step = distance * Self.stepsPerValue / (window * window)
        unsafe counts.base[min(step, Self.steps - 1)] += 1
      }
    }
    greatest = Double(most) / Double(window * window)
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
