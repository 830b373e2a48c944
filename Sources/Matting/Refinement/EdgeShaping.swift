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

    /// Whether the amounts leave the matte unchanged.
    var areNeutral: Bool { grow == 0 && feather == 0 }

    /// Sigma of the Gaussian that makes the ramp, which ends 2.5 sigma from its centre.
    fileprivate var sigma: Double { abs(feather) / 5 }
  }

  /// The minimum sigma of the filter: below it the enlargement of the matte softens more.
  private static let minSigma = 0.25

  private let grid: MatteGrid
  private let amounts: Amounts
  private let shift: EdgeShift
  /// The matte before it is feathered.
  private let sharp: Raster<UInt8>
  private let floats: Raster<Float>
  private let one: Raster<Float>
  private let gaussian: SeparableGaussian?

  init(grid: MatteGrid, amounts: Amounts) {
    let (width, height) = (grid.width, grid.height)
    self.grid = grid
    self.amounts = amounts
    shift = EdgeShift(width: amounts.areNeutral ? 0 : width, height: height)
    sharp = Raster(width: amounts.feather != 0 ? width : 0, height: height, filledWith: 0)
    let softens = amounts.sigma >= Self.minSigma
    gaussian =
      softens
      ? SeparableGaussian(
        width: width, height: height, step: 1, sigma: (amounts.sigma, amounts.sigma)) : nil
    floats = Raster(width: softens ? width : 0, height: height, filledWith: 0)
    one = Raster(width: softens ? width : 0, height: 1, filledWith: 1 / 255)
  }

  /// Returns whether this object shapes mattes on `grid` by `amounts`.
  func isCompatible(with amounts: Amounts, on grid: MatteGrid) -> Bool {
    amounts == self.amounts && grid == self.grid
  }

  /// Shapes `matte` in place.
  func apply(to matte: Raster<UInt8>) {
    shift.move(matte, by: amounts.grow)
    if amounts.feather == 0 { return }
    unsafe sharp.base.update(from: matte.base, count: matte.width * matte.height)
    shift.move(matte, by: amounts.feather / 2)
    soften(matte)
    for y in 0..<matte.height {
      unsafe shift.combine(
        matte.row(y), sharp.row(y), into: matte.row(y), matte.width, grows: amounts.feather > 0)
    }
  }

  private func soften(_ matte: Raster<UInt8>) {
    guard let gaussian else { return }
    for y in 0..<matte.height {
      unsafe kernels.weighRow(matte.row(y), one.base, 1, floats.row(y), matte.width)
    }
    gaussian.apply(to: floats)
    for y in 0..<matte.height {
      unsafe kernels.quantize(floats.row(y), matte.row(y), matte.width)
    }
  }
}

extension EdgeShaping.Amounts {
  /// Converts from pixels of a 720-line frame to samples of `grid`.
  package init(settings: MatteSettings, frameHeight: Int, grid: MatteGrid) {
    let samples = Double(frameHeight) / 720 / grid.step
    grow = settings.grow * samples
    feather = settings.feather * samples
  }
}
