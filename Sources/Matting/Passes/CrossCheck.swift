import InferenceTypes
import PixelTypes

/// Takes out of a matte what a second network does not see in the same part of the frame.
///
/// A small network takes a door or a clock beside a head for a part of the person now and then; another
/// one, which learned from other pictures, seldom takes the same one. It is asked now and then, and in
/// each frame for as long as the two contradict each other.
///
/// Allocates nothing after it is made; used on one thread at a time.
final class CrossCheck {
  /// The second network's matte on the grid.
  let matte: Raster<UInt8>
  /// Whether the second network is to look at this frame, at all people in it.
  private(set) var isDue = true

  /// A second network that contradicts more than this share has overlooked somebody.
  private static let maxShare = 0.9
  /// Blocks of the matte from top to bottom.
  ///
  /// The two are compared by the means of blocks, so that a difference at an edge, which is narrow, is none.
  private static let blocks = 24
  /// The networks contradict each other where the means of a block differ by more than this.
  private static let maxDifference = 64

  private let kernels: any RowKernels.Type
  private var times = ProbeSchedule()

  /// Allocates memory for mattes on `grid`.
  init(grid: MatteGrid, kernels: any RowKernels.Type) {
    self.kernels = kernels
    matte = Raster(width: grid.width, height: grid.height, filledWith: 0)
  }

  /// Knows of no contradiction any more.
  func reset() { times.reset() }

  /// Begins a frame, so many ticks after the one before.
  func advance(by ticks: Int) {
    times.advance(by: ticks)
    isDue = times.isDue
  }

  /// Leaves of the `first` network's matte what the second one's shows, too, edges as well; does nothing
  /// while they differ about the edges alone, and where the second one sees hardly anybody.
  func limit(_ first: Raster<UInt8>) {
    let share = contradictedShare(of: first)
    guard times.note(share: share), share <= Self.maxShare else { return }
    for y in 0..<first.height {
      unsafe kernels.minimumRow(first.row(y), matte.row(y), first.row(y), first.width)
    }
  }

  /// The share of the `first` network's alpha that the second one contradicts.
  private func contradictedShare(of first: Raster<UInt8>) -> Double {
    let side = max(first.height / Self.blocks, 1)
    var all = 0, contradicted = 0
    for top in stride(from: 0, to: first.height, by: side) {
      for left in stride(from: 0, to: first.width, by: side) {
        let (bottom, right) = (min(top + side, first.height), min(left + side, first.width))
        var difference = 0
        for y in top..<bottom {
          let (row, second) = unsafe (first.row(y), matte.row(y))
          for x in left..<right {
            unsafe all &+= Int(row[x])
            unsafe difference &+= max(Int(row[x]) &- Int(second[x]), 0)
          }
        }
        let greatest = Self.maxDifference * (bottom - top) * (right - left)
        if difference > greatest { contradicted &+= difference }
      }
    }
    return Double(contradicted) / Double(max(all, 1))
  }
}
