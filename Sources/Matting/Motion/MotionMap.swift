import PixelTypes

/// Where something moves in the picture, found by comparing it with the one before.
final class MotionMap {
  /// A mean difference up to this is the camera's noise.
  private static let noise = 3
  /// From this one on something moves for certain.
  private static let certainty = 12
  /// Differences are averaged over blocks of `1 << blockShift` samples.
  private static let blockShift = 2

  /// The picture that was taken last.
  let previous: Raster<UInt8>

  private let kernels: any RowKernels.Type
  private let difference: Raster<UInt8>
  private let reducer: BoxReducer
  private let blocks: Raster<UInt8>, spread: Raster<UInt8>
  private let padded: Raster<UInt8>
  private let motionOfDifference: Raster<UInt8>
  private let rows: ScaledRows

  /// Allocates memory for pictures of `width` by `height`.
  init(width: Int, height: Int, kernels: any RowKernels.Type) {
    self.kernels = kernels
    previous = Raster(width: width, height: height, filledWith: 0)
    difference = Raster(width: width, height: height, filledWith: 0)
    reducer = BoxReducer(width: width, shift: Self.blockShift, kernels: kernels)
    let blockWidth = BoxReducer.reduced(width, shift: Self.blockShift)
    let blockHeight = BoxReducer.reduced(height, shift: Self.blockShift)
    blocks = Raster(width: blockWidth, height: blockHeight, filledWith: 0)
    spread = Raster(width: blockWidth, height: blockHeight, filledWith: 0)
    padded = Raster(width: blockWidth + 2, height: 1, filledWith: 0)
    let scale = 1 / Double(1 << Self.blockShift)
    rows = ScaledRows(
      ScaleAxes(
        horizontal: ScaleAxis(count: width, sourceCount: blockWidth, scale: scale),
        vertical: ScaleAxis(count: height, sourceCount: blockHeight, scale: scale)),
      kernels: kernels)
    motionOfDifference = Raster(width: 256, height: 1, filledWith: 0)
    for value in 0...255 {
      let motion = (value - Self.noise) * 255 / (Self.certainty - Self.noise)
      unsafe motionOfDifference.base[value] = UInt8(min(max(motion, 0), 255))
    }
  }

  /// Takes a picture without looking for motion.
  func take(_ luma: Plane) {
    for y in 0..<previous.height {
      unsafe previous.row(y).update(from: luma.row(y), count: luma.width)
    }
  }

  /// Compares a picture with the one before.
  func update(with luma: Plane) {
    for y in 0..<difference.height {
      unsafe kernels.differRow(luma.row(y), previous.row(y), difference.row(y), luma.width)
    }
    take(luma)
    reducer.reduce(difference.plane, into: blocks)
    for i in 0..<blocks.width * blocks.height {
      unsafe blocks.base[i] = motionOfDifference.base[Int(blocks.base[i])]
    }
    spreadBlocks()
  }

  /// Called before the first row of each picture is read.
  func begin() {
    rows.begin()
  }

  /// 0 where nothing moves to 255 where something does, valid until the next call; rows are asked
  /// for from top to bottom.
  func row(_ y: Int) -> UnsafePointer<UInt8> {
    unsafe rows.row(y, of: spread)
  }

  /// A moving edge is still within the blocks around the one where it was noticed.
  private func spreadBlocks() {
    let width = blocks.width
    for y in 0..<blocks.height {
      let out = unsafe spread.row(y)
      let (above, below) = unsafe (
        blocks.row(max(y - 1, 0)), blocks.row(min(y + 1, blocks.height - 1))
      )
      unsafe kernels.maximumRow(above, below, out, width)
      unsafe kernels.maximumRow(out, blocks.row(y), out, width)
      unsafe (padded.base + 1).update(from: out, count: width)
      unsafe padded.base[0] = 0
      unsafe padded.base[width + 1] = 0
      unsafe kernels.maximumRow(out, padded.base, out, width)
      unsafe kernels.maximumRow(out, padded.base + 2, out, width)
    }
  }
}
