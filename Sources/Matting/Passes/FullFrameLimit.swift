import InferenceTypes
import PixelTypes

/// Limits the matte of a close-up to where the overview sees people, too.
///
/// A close-up whose matte goes on at the edge of its view has taken furniture for a person, if the
/// overview sees nobody there. The overview is coarse, so that its matte is spread first.
final class FullFrameLimit {
  /// The overview's matte on the grid.
  let matte: Raster<UInt8>

  /// An overview's edge is uncertain by so many of its samples.
  private static let uncertainty = 3.0
  /// An overview that sees less than this share of the close-up's people has overlooked some of them.
  private static let minShare = 0.85

  private let kernels: any RowKernels.Type
  private let grid: MatteGrid
  private let spread: Raster<UInt8>
  private let shift: EdgeShift
  private var isSpread = false
  /// Samples of the grid from one of the overview's to the next.
  private var step = 1.0

  /// Allocates memory for mattes on `grid`.
  init(grid: MatteGrid, kernels: any RowKernels.Type) {
    self.grid = grid
    self.kernels = kernels
    matte = Raster(width: grid.width, height: grid.height, filledWith: 0)
    spread = Raster(width: grid.width, height: grid.height, filledWith: 0)
    shift = EdgeShift(width: grid.width, height: grid.height, kernels: kernels)
  }

  /// Takes the last matte of the overview network.
  func take(_ overview: SegmentationStage) {
    overview.place(into: matte)
    step = overview.step / grid.stepX
    isSpread = false
  }

  /// Clears what of a close-up's matte the overview did not see; does nothing if it missed much.
  func apply(to crop: Raster<UInt8>) {
    spreadMatte()
    var all = 0, seen = 0
    for y in 0..<grid.height {
      let (row, limit) = unsafe (crop.row(y), spread.row(y))
      for x in 0..<grid.width {
        unsafe all &+= Int(row[x])
        unsafe seen &+= Int(min(row[x], limit[x]))
      }
    }
    guard Double(seen) >= Self.minShare * Double(all) else { return }
    for y in 0..<grid.height {
      unsafe kernels.minimumRow(crop.row(y), spread.row(y), crop.row(y), grid.width)
    }
  }

  private func spreadMatte() {
    guard !isSpread else { return }
    isSpread = true
    // Where it is half sure, a person may be.
    for i in 0..<grid.width * grid.height {
      unsafe spread.base[i] = matte.base[i] >= 128 ? 255 : matte.base[i] &* 2
    }
    shift.move(spread, by: Self.uncertainty * step)
  }
}
