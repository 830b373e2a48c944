import PixelTypes
import Processor

/// Moves the matte's edge outward or inward, and adds a ramp next to it.
///
/// The ramp is outside of the opaque area, or inside of the visible area. The edge is moved by half
/// the ramp's width and softened. Then the opaque or the transparent area is restored.
final class EdgeShaping {
  /// The user's settings in samples of a matte with equal steps in both directions.
  struct Amounts: Equatable {
    /// Outward shift of the edge, which shrinks the person if it is negative.
    var grow: Double
    /// Width of the ramp outside of the edge, or inside of it if negative.
    var feather: Double

    /// Converts from pixels of a 720-line frame to samples of `grid`.
    package init(settings: MatteSettings, frameHeight: Int, grid: MatteGrid) {
      let samples = Double(frameHeight) / 720 / grid.step
      grow = settings.grow * samples
      feather = settings.feather * samples
    }
  }

  /// The minimum sigma of the filter: below it the enlargement of the matte softens more.
  private static let minSigma = 0.25

  let amounts: Amounts
  private let shift: EdgeShift
  /// The matte before it is feathered.
  private let sharp: Raster<UInt8>
  private let floats: Raster<Float>
  private let one: Raster<Float>
  private let gaussian: SeparableGaussian?

  init(grid: MatteGrid, amounts: Amounts) {
    let (width, height) = (grid.width, grid.height)
    self.amounts = amounts
    let feathers = amounts.feather != 0
    shift = EdgeShift(width: amounts.grow != 0 || feathers ? width : 0, height: height)
    sharp = Raster(width: feathers ? width : 0, height: height, filledWith: 0)
    // The ramp ends 2.5 sigma from its centre.
    let sigma = abs(amounts.feather) / 5
    let softens = sigma >= Self.minSigma
    gaussian =
      softens
      ? SeparableGaussian(width: width, height: height, step: 1, sigma: (sigma, sigma)) : nil
    floats = Raster(width: softens ? width : 0, height: height, filledWith: 0)
    one = Raster(width: softens ? width : 0, height: 1, filledWith: 1 / 255)
  }

  /// Shapes `matte` in place.
  func apply(to matte: Raster<UInt8>) {
    shift.move(matte, by: amounts.grow)
    if amounts.feather == 0 { return }
    unsafe sharp.base.update(from: matte.base, count: matte.width * matte.height)
    shift.move(matte, by: amounts.feather / 2)
    if let gaussian {
      for y in 0..<matte.height {
        unsafe kernels.weighRow(matte.row(y), one.base, 1, floats.row(y), matte.width)
      }
      gaussian.apply(to: floats)
      for y in 0..<matte.height {
        unsafe kernels.quantize(floats.row(y), matte.row(y), matte.width)
      }
    }
    for y in 0..<matte.height {
      unsafe shift.combine(
        matte.row(y), sharp.row(y), into: matte.row(y), matte.width, grows: amounts.feather > 0)
    }
  }
}
