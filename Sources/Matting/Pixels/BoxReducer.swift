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

  /// Shrinks a plane of single samples, or the blocks of a part of the output.
  package func reduce(
    _ plane: Plane, into out: Raster<UInt8>, columns: Range<Int>? = nil, rows: Range<Int>? = nil
  ) {
    let columns = columns ?? 0..<out.width
    let first = columns.lowerBound << shift
    let count = min(columns.upperBound << shift, plane.width) - first
    for y in rows ?? 0..<out.height where !copies(plane, y, columns, into: out) {
      sumRows(of: plane, block: y, bytes: first..<first + count)
      unsafe kernels.averageColumns(sums.base, count, shift, out.row(y) + columns.lowerBound)
    }
  }

  /// Shrinks a plane of interleaved pairs, or the blocks of a part of the output.
  ///
  /// `columns` counts pairs.
  package func reducePairs(
    _ plane: Plane, into out: Raster<UInt8>, columns: Range<Int>? = nil, rows: Range<Int>? = nil
  ) {
    let columns = columns ?? 0..<out.width / 2
    let first = columns.lowerBound << shift
    let count = min(columns.upperBound << shift, plane.width / 2) - first
    let bytes = 2 * columns.lowerBound..<2 * columns.upperBound
    for y in rows ?? 0..<out.height where !copies(plane, y, bytes, into: out) {
      sumRows(of: plane, block: y, bytes: 2 * first..<2 * (first + count))
      unsafe kernels.averageColumnPairs(
        sums.base, count, shift, out.row(y) + 2 * columns.lowerBound)
    }
  }

  /// Copies a row and returns true if a block is one sample.
  private func copies(
    _ plane: Plane, _ y: Int, _ bytes: Range<Int>, into out: Raster<UInt8>
  ) -> Bool {
    if shift == 0 {
      let (target, source) = unsafe (out.row(y), plane.row(y))
      unsafe (target + bytes.lowerBound).update(
        from: source + bytes.lowerBound, count: bytes.count)
    }
    return shift == 0
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
