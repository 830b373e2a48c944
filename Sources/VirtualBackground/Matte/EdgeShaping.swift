import PixelTypes

/// Moves the matte's edge outward or inward, and softens it.
final class EdgeShaping {
  /// What the user asked for, in samples of the matte.
  struct Amounts: Equatable {
    /// Outward shift of the edge, where the steps of the grid are equal; negative shrinks the person.
    var grow: Double
    /// Width over which the edge is softened, along a row and along a column.
    var featherX: Double, featherY: Double

    /// Converts from pixels of a 720-line frame to samples of `grid`.
    init(settings: EffectSettings, frameHeight: Int, grid: MatteGrid) {
      let pixels = Double(frameHeight) / 720
      grow = settings.matteGrow * pixels / grid.stepX
      featherX = settings.matteFeather * pixels / grid.stepX
      featherY = settings.matteFeather * pixels / grid.stepY
    }

    /// A ramp of that width has the variance of a box; the Gaussian is given the same one.
    fileprivate var sigma: (x: Double, y: Double) {
      (featherX / 12.0.squareRoot(), featherY / 12.0.squareRoot())
    }
  }

  /// A filter of a smaller sigma is finer than the grid: the enlargement softens more than that.
  private static let leastSigma = 0.25

  private let kernels: any RowKernels.Type
  private let grid: MatteGrid
  private let amounts: Amounts
  private let other: Raster<UInt8>
  private let padded: Raster<UInt8>
  private let floats: Raster<Float>
  private let one: Raster<Float>
  private let gaussian: SeparableGaussian?

  /// Makes room for mattes on `grid` that are shaped by `amounts`.
  init(grid: MatteGrid, amounts: Amounts, kernels: any RowKernels.Type) {
    let (width, height) = (grid.width, grid.height)
    self.kernels = kernels
    self.grid = grid
    self.amounts = amounts
    let grows = amounts.grow != 0
    other = Raster(width: grows ? width : 0, height: height, filledWith: 0)
    padded = Raster(width: grows ? width + 2 : 0, height: 1, filledWith: 0)
    let softens = max(amounts.sigma.x, amounts.sigma.y) >= Self.leastSigma
    gaussian =
      softens
      ? SeparableGaussian(
        width: width, height: height, step: 1, sigma: amounts.sigma, kernels: kernels) : nil
    floats = Raster(width: softens ? width : 0, height: height, filledWith: 0)
    one = Raster(width: softens ? width : 0, height: 1, filledWith: 1 / 255)
  }

  /// Whether this object does what `amounts` say to mattes on `grid`.
  func serves(_ amounts: Amounts, on grid: MatteGrid) -> Bool {
    amounts == self.amounts && grid == self.grid
  }

  /// Shapes `matte` in place.
  func apply(to matte: Raster<UInt8>) {
    if amounts.grow != 0 { shiftEdge(of: matte) }
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
  private func shiftEdge(of matte: Raster<UInt8>) {
    let grows = amounts.grow > 0
    let amount = abs(amounts.grow)
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
