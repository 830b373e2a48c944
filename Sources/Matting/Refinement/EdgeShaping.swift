import PixelTypes

/// Moves the matte's edge outward or inward, and lays a ramp beside it.
///
/// The ramp lies outside of what is opaque, or inside of what is not transparent: the edge is moved
/// by half the ramp's width, softened, and what was opaque or transparent before stays so.
final class EdgeShaping {
  /// What the user asked for, in samples of a matte whose steps are equal.
  struct Amounts: Equatable {
    /// Outward shift of the edge; negative shrinks the person.
    var grow: Double
    /// Width of the ramp outside of the edge, or inside of it if negative.
    var feather: Double

    /// Whether there is nothing to be done.
    var areNeutral: Bool { grow == 0 && feather == 0 }

    /// The Gaussian that makes the ramp: it ends 2.5 sigma from its middle.
    fileprivate var sigma: Double { abs(feather) / 5 }
  }

  /// A filter of a smaller sigma is finer than the grid: the enlargement softens more than that.
  private static let leastSigma = 0.25

  private let kernels: any RowKernels.Type
  private let grid: MatteGrid
  private let amounts: Amounts
  private let shift: EdgeShift
  /// The matte before it is feathered.
  private let sharp: Raster<UInt8>
  private let floats: Raster<Float>
  private let one: Raster<Float>
  private let gaussian: SeparableGaussian?

  /// Allocates memory for mattes on `grid` that are shaped by `amounts`.
  init(grid: MatteGrid, amounts: Amounts, kernels: any RowKernels.Type) {
    let (width, height) = (grid.width, grid.height)
    self.kernels = kernels
    self.grid = grid
    self.amounts = amounts
    shift = EdgeShift(width: amounts.areNeutral ? 0 : width, height: height, kernels: kernels)
    sharp = Raster(width: amounts.feather != 0 ? width : 0, height: height, filledWith: 0)
    let softens = amounts.sigma >= Self.leastSigma
    gaussian =
      softens
      ? SeparableGaussian(
        width: width, height: height, step: 1, sigma: (amounts.sigma, amounts.sigma),
        kernels: kernels) : nil
    floats = Raster(width: softens ? width : 0, height: height, filledWith: 0)
    one = Raster(width: softens ? width : 0, height: 1, filledWith: 1 / 255)
  }

  /// Whether this object does what `amounts` say to mattes on `grid`.
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
    let samples = Double(frameHeight) / 720 / grid.stepX
    grow = settings.grow * samples
    feather = settings.feather * samples
  }
}
