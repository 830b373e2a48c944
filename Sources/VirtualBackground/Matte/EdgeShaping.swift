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
  private let other: Raster<UInt8>
  private let padded: Raster<UInt8>
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
    let moves = !amounts.areNeutral
    other = Raster(width: moves ? width : 0, height: height, filledWith: 0)
    padded = Raster(width: moves ? width + 2 : 0, height: 1, filledWith: 0)
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
  func serves(_ amounts: Amounts, on grid: MatteGrid) -> Bool {
    amounts == self.amounts && grid == self.grid
  }

  /// Shapes `matte` in place.
  func apply(to matte: Raster<UInt8>) {
    shiftEdge(of: matte, by: amounts.grow)
    if amounts.feather == 0 { return }
    unsafe sharp.base.update(from: matte.base, count: matte.width * matte.height)
    shiftEdge(of: matte, by: amounts.feather / 2)
    soften(matte)
    for y in 0..<matte.height {
      unsafe combine(
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

  /// One step of a square, one of a cross, and so on: together nearly a disc.
  ///
  /// A fraction of a step is a mixture of the matte before and after it.
  private func shiftEdge(of matte: Raster<UInt8>, by shift: Double) {
    let grows = shift > 0
    let amount = abs(shift)
    // More steps than the matte has samples change nothing any more.
    let whole = Int(min(amount, Double(max(matte.width, matte.height))))
    let part = Int(((amount - amount.rounded(.down)) * 256).rounded())
    for step in 0..<whole {
      extremum(of: matte, grows: grows, square: step % 2 == 0)
      unsafe matte.base.update(from: other.base, count: matte.width * matte.height)
    }
    guard part > 0 else { return }
    extremum(of: matte, grows: grows, square: whole % 2 == 0)
    for y in 0..<matte.height {
      unsafe kernels.mixRows(matte.row(y), other.row(y), part, matte.row(y), matte.width)
    }
  }

  /// The greatest or the least of each sample and its neighbours goes to `other`.
  private func extremum(of matte: Raster<UInt8>, grows: Bool, square: Bool) {
    let width = matte.width
    for y in 0..<matte.height {
      let above = unsafe matte.row(max(y - 1, 0))
      let row = unsafe matte.row(y)
      let below = unsafe matte.row(min(y + 1, matte.height - 1))
      let out = unsafe other.row(y)
      unsafe combine(above, below, into: out, width, grows: grows)
      unsafe combine(out, row, into: out, width, grows: grows)
      // The neighbours to the side: of the column's extremum for a square, of the row for a cross.
      let side = unsafe square ? out : row
      unsafe (padded.base + 1).update(from: side, count: width)
      unsafe padded.base[0] = side[0]
      unsafe padded.base[width + 1] = side[width - 1]
      unsafe combine(out, padded.base, into: out, width, grows: grows)
      unsafe combine(out, padded.base + 2, into: out, width, grows: grows)
    }
  }

  // A kernel held in a variable would be a closure, allocated anew for each call.
  private func combine(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, into out: UnsafeMutablePointer<UInt8>,
    _ count: Int, grows: Bool
  ) {
    if grows {
      unsafe kernels.maximumRow(a, b, out, count)
    } else {
      unsafe kernels.minimumRow(a, b, out, count)
    }
  }
}

extension EdgeShaping.Amounts {
  /// Converts from pixels of a 720-line frame to samples of `grid`.
  init(settings: EffectSettings, frameHeight: Int, grid: MatteGrid) {
    let samples = Double(frameHeight) / 720 / grid.stepX
    grow = settings.matteGrow * samples
    feather = settings.matteFeather * samples
  }
}
