import PixelTypes
import Processor

/// A map of the motion in a picture, from its differences to the previous one.
final class MotionMap {
  /// Mean difference, in code values, up to which a block shows only camera noise.
  private static let noise = 3
  /// Mean difference, in code values, from which a block certainly moves.
  private static let certainMotion = 12
  /// Differences are averaged over blocks of `1 << blockShift` samples.
  private static let blockShift = MotionBlock.spacingShift

  /// The last picture.
  let previous: Raster<UInt8>

  private let difference: Raster<UInt8>
  private let reducer: BoxReducer
  private let blocks: Raster<UInt8>
  private let spreading: EdgeShift
  private let motionOfDifference: Raster<UInt8>
  private let rows: ScaledRows

  init(width: Int, height: Int) {
    previous = Raster(width: width, height: height, filledWith: 0)
    difference = Raster(width: width, height: height, filledWith: 0)
    reducer = BoxReducer(width: width, shift: Self.blockShift)
    let blockWidth = BoxReducer.reduced(width, shift: Self.blockShift)
    let blockHeight = BoxReducer.reduced(height, shift: Self.blockShift)
    blocks = Raster(width: blockWidth, height: blockHeight, filledWith: 0)
    spreading = EdgeShift(width: blockWidth, height: blockHeight)
    let scale = 1 / Double(1 << Self.blockShift)
    rows = ScaledRows(
      .axis(ScaleAxis(count: width, sourceCount: blockWidth, scale: scale)),
      vertical: ScaleAxis(count: height, sourceCount: blockHeight, scale: scale))
    motionOfDifference = Raster(width: 256, height: 1, filledWith: 0)
    for value in 0...255 {
      let motion = (value - Self.noise) * 255 / (Self.certainMotion - Self.noise)
      unsafe motionOfDifference.base[value] = UInt8(min(max(motion, 0), 255))
    }
  }

  /// Stores a picture without comparing it.
  func store(_ luma: Plane) { previous.store(luma) }

  /// Compares a picture with the previous one and stores it.
  func update(with luma: Plane) {
    for y in 0..<difference.height {
      unsafe kernels.differRow(luma.row(y), previous.row(y), difference.row(y), luma.width)
    }
    store(luma)
    reducer.reduce(difference.plane, into: blocks)
    for i in 0..<blocks.width * blocks.height {
      unsafe blocks.base[i] = motionOfDifference.base[Int(blocks.base[i])]
    }
    // A moving edge may have reached the neighbouring blocks.
    spreading.move(blocks, by: 1)
    rows.begin()
  }

  /// Returns a row of the map, from 0 for no motion to 255 for certain motion.
  ///
  /// Read the rows from top to bottom. Each is valid until the next call.
  func row(_ y: Int) -> UnsafePointer<UInt8> { unsafe rows.row(y, of: blocks) }
}
