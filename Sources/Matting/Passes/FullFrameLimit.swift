import InferenceTypes
import PixelTypes

/// Limits the matte of a crop pass to where a full-frame pass finds people too.
///
/// If the matte of a crop reaches its edge and the full-frame pass finds no person there, the crop
/// pass has taken furniture for a person. The full-frame matte is coarse, so it is dilated first.
final class FullFrameLimit {
  /// The matte of the last full-frame pass, on the grid.
  let matte: Raster<UInt8>

  /// Uncertainty of the full-frame matte's edge, in samples of the network's output.
  private static let uncertainty = 3.0
  /// Minimum share of the crop's alpha that the full-frame pass must find.
  ///
  /// With less it missed people.
  private static let minShare = 0.85

  private let kernels: any RowKernels.Type
  private let grid: MatteGrid
  private let dilated: Raster<UInt8>
  private let shift: EdgeShift
  private var isDilated = false
  /// Samples of the grid from one sample of the network's output to the next.
  private var step = 1.0

  /// Allocates memory for mattes on `grid`.
  init(grid: MatteGrid, kernels: any RowKernels.Type) {
    self.grid = grid
    self.kernels = kernels
    matte = Raster(width: grid.width, height: grid.height, filledWith: 0)
    dilated = Raster(width: grid.width, height: grid.height, filledWith: 0)
    shift = EdgeShift(width: grid.width, height: grid.height, kernels: kernels)
  }

  /// Takes the last matte of the network of the full-frame passes.
  func update(from peopleFinder: SegmentationStage) {
    peopleFinder.place(into: matte)
    step = peopleFinder.step / grid.stepX
    isDilated = false
  }

  /// Clears the parts of a crop's matte that the full-frame pass did not find.
  ///
  /// Does nothing if it missed much of the matte.
  func apply(to crop: Raster<UInt8>) {
    dilateMatte()
    var all = 0, seen = 0
    for y in 0..<grid.height {
      let (row, limit) = unsafe (crop.row(y), dilated.row(y))
      for x in 0..<grid.width {
        unsafe all &+= Int(row[x])
        unsafe seen &+= Int(min(row[x], limit[x]))
      }
    }
    guard Double(seen) >= Self.minShare * Double(all) else { return }
    for y in 0..<grid.height {
      unsafe kernels.minimumRow(crop.row(y), dilated.row(y), crop.row(y), grid.width)
    }
  }

  private func dilateMatte() {
    guard !isDilated else { return }
    isDilated = true
    // From half of the alpha on, there may be a person.
    for i in 0..<grid.width * grid.height {
      unsafe dilated.base[i] = matte.base[i] >= 128 ? 255 : matte.base[i] &* 2
    }
    shift.move(dilated, by: Self.uncertainty * step)
  }
}
