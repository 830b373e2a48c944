import PixelTypes
import Processor

/// Shrinks planes by a power of two: each output sample is the mean of a square block.
///
/// Blocks that extend beyond the right or bottom edge repeat the last column or row. A box filter
/// is the exact anti-aliasing for integer factors. `TensorPreparation` scales by the remaining
/// factor.
package final class BoxReducer {
  /// The maximum shift, for which sums of 16 x 16 bytes still fit into 16 bits.
  package static let maxShift = 4

  private let shift: Int
  private let sums: Raster<UInt16>

  /// Creates a reducer by `1 << shift` for planes with at most `width` bytes per row.
  package init(width: Int, shift: Int) {
    self.shift = shift
    sums = Raster(width: shift == 0 ? 0 : width, height: 1, filledWith: 0)
  }

  /// Returns the size of a reduced extent: `ceil(size / 2^shift)`.
  package static func reduced(_ size: Int, shift: Int) -> Int {
    (size + (1 << shift) - 1) >> shift
  }

  /// Shrinks a plane of single samples or interleaved pairs, or only a part of the output.
  ///
  /// `columns` counts samples or pairs.
  package func reduce(
    _ plane: Plane, ofPairs: Bool = false, into out: Raster<UInt8>, columns: Range<Int>? = nil,
    rows: Range<Int>? = nil
  ) {
    let step = ofPairs ? 2 : 1
    let columns = columns ?? 0..<out.width / step
    let first = columns.lowerBound << shift
    let count = min(columns.upperBound << shift, plane.width / step) - first
    for y in rows ?? 0..<out.height {
      let target = unsafe out.row(y) + step * columns.lowerBound
      if shift == 0 {
        unsafe target.update(from: plane.row(y) + step * first, count: step * columns.count)
        continue
      }
      sumRows(of: plane, block: y, bytes: step * first..<step * (first + count))
      if ofPairs {
        unsafe kernels.averageColumnPairs(sums.base, count, shift, target)
      } else {
        unsafe kernels.averageColumns(sums.base, count, shift, target)
      }
    }
  }

  private func sumRows(of plane: Plane, block: Int, bytes: Range<Int>) {
    var y = block << shift
    func row() -> UnsafePointer<UInt8> {
      defer { y += 1 }
      return unsafe UnsafePointer(plane.row(min(y, plane.height - 1))) + bytes.lowerBound
    }
    if shift == 1 {
      unsafe kernels.sumTwoRows(sums.base, row(), row(), bytes.count)
      return
    }
    unsafe kernels.sumFourRows(sums.base, row(), row(), row(), row(), bytes.count)
    for _ in 1..<1 << (shift - 2) {
      unsafe kernels.addFourRows(sums.base, row(), row(), row(), row(), bytes.count)
    }
  }
}
