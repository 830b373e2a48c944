import PixelTypes
import Processor

/// Restores parts of a person that a network misses but the same network at a smaller size finds.
///
/// At a large size, a network can miss a shoulder in front of a wall with the same colour. At a
/// small size, each sample covers more of the scene, and this happens less often. A missed part is
/// restored only if it is large, deep inside the coarser matte, and next to the finer matte.
final class LowResolutionRecovery {
  /// The matte of the network at its smaller size (the coarser matte), on the grid.
  let matte: Raster<UInt8>

  /// The minimum distance of a missed part from the coarser matte's edge, as a share of the crop's
  /// height.
  ///
  /// Between people who stand together, the error of the coarser matte's edge is more than half of
  /// this distance.
  private static let depth = 0.05
  /// The maximum size of the missed parts, as a share of the finer matte.
  ///
  /// Larger parts are not restored: they are another person or an object.
  private static let maxShare = 0.25
  /// The minimum alpha at which the coarser matte is certain.
  private static let certainAlpha: UInt8 = 192

  private let grid: MatteGrid
  private let deep: Raster<UInt8>
  private let shift: EdgeShift

  init(grid: MatteGrid) {
    self.grid = grid
    matte = Raster(width: grid.width, height: grid.height, filledWith: 0)
    deep = Raster(width: grid.width, height: grid.height, filledWith: 0)
    shift = EdgeShift(width: grid.width, height: grid.height)
  }

  /// Finds the parts of the coarser `matte` that `fine` misses, and returns their size as a share
  /// of `fine`.
  ///
  /// Returns 0 if the parts are too large to be restored.
  func missedShare(of fine: Raster<UInt8>, in crop: PixelRegion) -> Double {
    unsafe deep.base.update(from: matte.base, count: matte.width * matte.height)
    shift.move(deep, by: -depth(in: crop))
    let (all, missed) = findMissedParts(in: fine)
    let share = Double(missed) / Double(max(all, 1))
    return share <= Self.maxShare ? share : 0
  }

  /// Adds to `fine` the parts that `missedShare` found.
  func restore(to fine: Raster<UInt8>, in crop: PixelRegion) {
    // Dilate back to the coarser matte's edge.
    shift.move(deep, by: 2 * depth(in: crop))
    for y in 0..<grid.height {
      let (row, part) = unsafe (fine.row(y), deep.row(y))
      let shown = unsafe UnsafePointer(row).samples(withAnyOf: Matte.solid, count: grid.width)
      unsafe kernels.minimumRow(part, matte.row(y), part, grid.width)
      for x in shown { unsafe part[x] = 0 }
      unsafe kernels.maximumRow(row, part, row, grid.width)
    }
  }

  private func depth(in crop: PixelRegion) -> Double {
    Self.depth * Double(crop.height) / grid.step
  }

  /// Marks in `deep` the parts that `fine` misses.
  ///
  /// Returns the sums of `fine` and of those parts.
  ///
  /// In each row, a missed part is to the left of the first sample that `fine` shows, or to the
  /// right of the last one. The coarser matte must be solid between this sample and the part. The
  /// samples between the first and the last one are often background: between legs, or between two
  /// people.
  private func findMissedParts(in fine: Raster<UInt8>) -> (all: Int, missed: Int) {
    var all = 0, missed = 0
    for y in 0..<grid.height {
      let (row, certain, coarse) = unsafe (fine.row(y), deep.row(y), matte.row(y))
      for x in 0..<grid.width { unsafe all &+= Int(row[x]) }
      let shown = unsafe UnsafePointer(row).samples(withAnyOf: Matte.solid, count: grid.width)
      var (left, right) = (shown.lowerBound, shown.upperBound)
      if !shown.isEmpty {
        while left > 0, unsafe coarse[left - 1] >= Matte.solid { left -= 1 }
        while right < grid.width, unsafe coarse[right] >= Matte.solid { right += 1 }
      }
      for x in 0..<grid.width {
        let isNext = left..<right ~= x && !(shown ~= x)
        let isMissed = unsafe isNext && certain[x] >= Self.certainAlpha
        if isMissed { unsafe missed &+= Int(certain[x]) &- Int(row[x]) }
        unsafe certain[x] = isMissed ? 255 : 0
      }
    }
    return (all, missed)
  }
}
