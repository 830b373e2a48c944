import InferenceTypes
import PixelTypes

/// Gives back to a matte what its network has lost of a person and a coarser one sees.
///
/// At a large size a network loses a shoulder before a wall of its colour now and then. At a small
/// size, where each sample shows more of the scene, it does so less often. The coarser matte has to
/// be sure: what is lost lies deep inside of it, beside what the other shows, and is much. It is asked
/// now and then, and in each frame for as long as something is lost.
///
/// Allocates nothing after it is made; used on one thread at a time.
final class LowResolutionRecovery {
  /// The coarser network's matte on the grid.
  let matte: Raster<UInt8>

  /// How deep inside of the coarser matte a lost part lies, as a share of the view's height.
  ///
  /// Where people stand together its edge is wrong by more than half of this.
  private static let depth = 0.05
  /// What is more than this share of the matte is somebody or something else.
  private static let maxShare = 0.25
  /// The coarser network is sure from this alpha on.
  private static let sureAlpha: UInt8 = 192

  private let kernels: any RowKernels.Type
  private let grid: MatteGrid
  private let deep: Raster<UInt8>
  private let shift: EdgeShift
  private var times = ProbeSchedule()

  /// Allocates memory for mattes on `grid`.
  init(grid: MatteGrid, kernels: any RowKernels.Type) {
    self.grid = grid
    self.kernels = kernels
    matte = Raster(width: grid.width, height: grid.height, filledWith: 0)
    deep = Raster(width: grid.width, height: grid.height, filledWith: 0)
    shift = EdgeShift(width: grid.width, height: grid.height, kernels: kernels)
  }

  /// Knows of no loss any more.
  func reset() { times.reset() }

  /// Lets so many ticks pass.
  func advance(by ticks: Int) { times.advance(by: ticks) }

  /// Whether the coarser network is to look at this frame.
  var isDue: Bool { times.isDue }

  /// Puts into the matte `fine` of a view what it has lost of the coarser `matte` of the same view;
  /// returns whether there is any.
  func restore(to fine: Raster<UInt8>, of view: PixelRegion) -> Bool {
    let depth = Self.depth * Double(view.height) / grid.stepY
    unsafe deep.base.update(from: matte.base, count: matte.width * matte.height)
    shift.move(deep, by: -depth)
    let (all, lost) = findLoss(in: fine)
    let share = Double(lost) / Double(max(all, 1))
    guard times.note(share: share <= Self.maxShare ? share : 0) else { return false }
    // Back to the coarser matte's edge, wherever the lost part ends there.
    shift.move(deep, by: 2 * depth)
    for y in 0..<grid.height {
      let (row, part) = unsafe (fine.row(y), deep.row(y))
      let shown = unsafe span(row)
      unsafe kernels.minimumRow(part, matte.row(y), part, grid.width)
      for x in shown { unsafe part[x] = 0 }
      unsafe kernels.maximumRow(row, part, row, grid.width)
    }
    return true
  }

  /// Marks in `deep` what `fine` has lost of it; returns the sums of `fine` and of what is lost.
  ///
  /// In a row, a lost part goes on from the first or the last sample that `fine` shows. What lies
  /// between these is room as often: between legs, or two people.
  private func findLoss(in fine: Raster<UInt8>) -> (all: Int, lost: Int) {
    var all = 0, lost = 0
    for y in 0..<grid.height {
      let (row, sure, coarse) = unsafe (fine.row(y), deep.row(y), matte.row(y))
      for x in 0..<grid.width { unsafe all &+= Int(row[x]) }
      let shown = unsafe span(row)
      var (left, right) = (shown.lowerBound, shown.upperBound)
      if !shown.isEmpty {
        while left > 0, unsafe coarse[left - 1] >= Matte.solid { left -= 1 }
        while right < grid.width, unsafe coarse[right] >= Matte.solid { right += 1 }
      }
      for x in 0..<grid.width {
        let isBeside = left..<right ~= x && !(shown ~= x)
        let isLost = unsafe isBeside && sure[x] >= Self.sureAlpha
        if isLost { unsafe lost &+= Int(sure[x]) &- Int(row[x]) }
        unsafe sure[x] = isLost ? 255 : 0
      }
    }
    return (all, lost)
  }

  /// From the first to the last sample of a row that shows somebody.
  private func span(_ row: UnsafePointer<UInt8>) -> Range<Int> {
    guard let first = (0..<grid.width).first(where: { unsafe row[$0] >= Matte.solid }),
      let last = (0..<grid.width).last(where: { unsafe row[$0] >= Matte.solid })
    else { return 0..<0 }
    return first..<last + 1
  }
}
