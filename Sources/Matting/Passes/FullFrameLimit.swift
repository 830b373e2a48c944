import PixelTypes
import Processor

/// Limits the matte of a crop pass to the areas in which a full-frame pass also finds people.
///
/// If the matte reaches the crop's edge and the full-frame pass finds no person there, the crop
/// pass has mistaken furniture for a person. The full-frame matte is coarse, so it is dilated
/// first.
final class FullFrameLimit {
  /// The matte of the last full-frame pass, on the grid.
  let matte: Raster<UInt8>

  /// Uncertainty of the full-frame matte's edge, in samples of the network's output.
  private static let uncertainty = 3.0
  /// The minimum share of the crop's alpha that the full-frame pass must find.
  ///
  /// If it finds less, the full-frame pass has missed people.
  private static let minShare = 0.85

  private let grid: MatteGrid
  private let shift: EdgeShift
  /// Samples of the grid from one sample of the network's output to the next.
  private var step = 1.0

  init(grid: MatteGrid) {
    self.grid = grid
    matte = Raster(width: grid.width, height: grid.height, filledWith: 0)
    shift = EdgeShift(width: grid.width, height: grid.height)
  }

  /// Copies the last matte of the full-frame passes' network.
  func update(from peopleFinder: SegmentationStage) {
    peopleFinder.place(into: matte)
    step = peopleFinder.step / grid.step
  }

  /// Clears the parts of a crop's matte that the full-frame pass did not find.
  ///
  /// Does nothing if the full-frame pass missed much of the matte. Call this once after an update.
  func apply(to crop: Raster<UInt8>) {
    // An alpha of at least half may be a person.
    for i in 0..<grid.width * grid.height {
      unsafe matte.base[i] = matte.base[i] >= Matte.solid ? 255 : matte.base[i] &* 2
    }
    shift.move(matte, by: Self.uncertainty * step)
    var all = 0, seen = 0
    for y in 0..<grid.height {
      let (row, limit) = unsafe (crop.row(y), matte.row(y))
      for x in 0..<grid.width {
        unsafe all &+= Int(row[x])
        unsafe seen &+= Int(min(row[x], limit[x]))
      }
    }
    guard Double(seen) >= Self.minShare * Double(all) else { return }
    for y in 0..<grid.height {
      unsafe kernels.minimumRow(crop.row(y), matte.row(y), crop.row(y), grid.width)
    }
  }
}
