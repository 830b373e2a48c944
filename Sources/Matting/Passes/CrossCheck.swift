import PixelTypes
import Processor

/// Limits a matte to the parts that a second network finds in the same part of the frame.
///
/// A small network can mistake a door or a clock next to a head for a part of the person. A second
/// network, trained on other pictures, rarely makes the same mistake.
final class CrossCheck {
  /// The second network's matte on the grid.
  let matte: Raster<UInt8>

  /// The maximum share that the second network may contradict.
  ///
  /// If it contradicts more, the second network has missed a person.
  private static let maxShare = 0.9
  /// The number of blocks from top to bottom.
  ///
  /// The means of blocks are compared, so that a narrow difference at an edge does not count.
  private static let blocks = 24
  /// The maximum difference in alpha between the means of a block.
  private static let maxDifference = 64

  init(grid: MatteGrid) {
    matte = Raster(width: grid.width, height: grid.height, filledWith: 0)
  }

  /// Limits the matte of the `first` network to the matte of the second one, including its edges.
  ///
  /// Does nothing if `share` is so large that the second network has missed a person.
  func limit(_ first: Raster<UInt8>, contradicted share: Double) {
    guard share <= Self.maxShare else { return }
    for y in 0..<first.height {
      unsafe kernels.minimumRow(first.row(y), matte.row(y), first.row(y), first.width)
    }
  }

  /// Returns the share of the `first` network's alpha that the second network contradicts.
  ///
  /// The share is 0 if only the edges differ.
  func contradictedShare(of first: Raster<UInt8>) -> Double {
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
        let limit = Self.maxDifference * (bottom - top) * (right - left)
        if difference > limit { contradicted &+= difference }
      }
    }
    return Double(contradicted) / Double(max(all, 1))
  }
}
