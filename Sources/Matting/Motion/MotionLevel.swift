import PixelTypes
import Processor

/// One level of a `MotionField`: its two pictures at a fraction of their size, and the properties
/// of the blocks.
final class MotionLevel {
  /// Size of each picture in samples.
  let width: Int, height: Int
  /// The number of blocks in each direction.
  let columns: Int, rows: Int
  /// Copies of the two pictures, empty on the finest level, which uses the originals.
  let earlier: Raster<UInt8>, current: Raster<UInt8>
  let reducer: BoxReducer
  /// The vectors from the blocks to their earlier positions, on the finest level in sixteenths.
  let vectors: Raster<SIMD2<Int16>>
  /// 1 for blocks of the earlier picture that contain an edge of the matte.
  let hasEdge: Raster<UInt8>
  /// 1 for blocks of the earlier picture within `nearness` blocks of such a block.
  let isNearEdge: Raster<UInt8>
  /// 1 for blocks of the earlier picture that contain a block of the finest level with a person.
  ///
  /// In such a block, every alpha is at least a half.
  let hasPerson: Raster<UInt8>
  /// The maximum and minimum alpha of each column of samples in a row of blocks.
  private let maxima: Raster<UInt8>, minima: Raster<UInt8>
  /// 1 for searched blocks of the current picture without a match.
  let isUnmatched: Raster<UInt8>

  /// The maximum distance of a block near an edge, in blocks.
  private static let nearness = 2

  /// Creates a level of `width` by `height` samples, the finest one if `finer` is nil.
  init(width: Int, height: Int, finer: MotionLevel?) {
    (self.width, self.height) = (width, height)
    let spacing = 1 << MotionBlock.spacingShift
    columns = (width + spacing - 1) / spacing
    rows = (height + spacing - 1) / spacing
    earlier = Raster(width: finer == nil ? 0 : width, height: height, filledWith: 0)
    current = Raster(width: finer == nil ? 0 : width, height: height, filledWith: 0)
    reducer = BoxReducer(width: finer?.width ?? 0, shift: 1)
    vectors = Raster(width: columns, height: rows, filledWith: .zero)
    hasEdge = Raster(width: columns, height: rows, filledWith: 0)
    isNearEdge = Raster(width: columns, height: rows, filledWith: 0)
    hasPerson = Raster(width: columns, height: rows, filledWith: 0)
    maxima = Raster(width: finer == nil ? width : 0, height: 1, filledWith: 0)
    minima = Raster(width: finer == nil ? width : 0, height: 1, filledWith: 0)
    isUnmatched = Raster(width: columns, height: rows, filledWith: 0)
  }

  /// The vector of a block.
  func vector(_ row: Int, _ column: Int) -> MotionVector {
    MotionVector(truncatingIfNeeded: unsafe vectors.row(row)[column])
  }

  /// Returns whether a block was near an edge at its earlier position.
  ///
  /// `vector` points from the block to this position, in samples.
  func isNearEdge(_ row: Int, _ column: Int, _ vector: MotionVector) -> Bool {
    let shift = MotionBlock.spacingShift
    let column = min(max(column + vector.x >> shift, 0), columns - 1)
    let row = min(max(row + vector.y >> shift, 0), rows - 1)
    return unsafe isNearEdge.row(row)[column] != 0
  }

  /// Returns whether a part of a block belongs to the person.
  func hasPerson(_ row: Int, _ column: Int) -> Bool {
    unsafe hasPerson.row(row)[column] != 0
  }

  /// Marks the blocks around those with an edge.
  private func spreadEdges() {
    isNearEdge.fill(with: 0)
    for row in 0..<rows {
      let marks = unsafe hasEdge.row(row)
      for column in 0..<columns where unsafe marks[column] != 0 {
        let left = max(column - Self.nearness, 0)
        let right = min(column + Self.nearness, columns - 1)
        for near in max(row - Self.nearness, 0)...min(row + Self.nearness, rows - 1) {
          unsafe (isNearEdge.row(near) + left).update(repeating: 1, count: right - left + 1)
        }
      }
    }
  }

  /// Marks the edges and the person of a matte, on the finest level.
  func markParts(of matte: Raster<UInt8>) {
    let spacing = 1 << MotionBlock.spacingShift
    for row in 0..<rows {
      let first = unsafe matte.row(row * spacing)
      unsafe maxima.base.update(from: first, count: matte.width)
      unsafe minima.base.update(from: first, count: matte.width)
      for y in row * spacing + 1..<min((row + 1) * spacing, matte.height) {
        unsafe kernels.maximumRow(maxima.base, matte.row(y), maxima.base, matte.width)
        unsafe kernels.minimumRow(minima.base, matte.row(y), minima.base, matte.width)
      }
      let (edges, people) = unsafe (hasEdge.row(row), hasPerson.row(row))
      for column in 0..<columns {
        var (low, high) = (UInt8.max, UInt8.min)
        for x in column * spacing..<min((column + 1) * spacing, matte.width) {
          low = unsafe min(low, minima.base[x])
          high = unsafe max(high, maxima.base[x])
        }
        unsafe edges[column] = high >= Matte.edge.lowerBound && low <= Matte.edge.upperBound ? 1 : 0
        unsafe people[column] = low >= Matte.solid ? 1 : 0
      }
    }
    spreadEdges()
  }

  /// Combines the marks of the finer blocks in each block.
  func gatherParts(of finer: MotionLevel) {
    Self.gather(finer.hasEdge, into: hasEdge)
    Self.gather(finer.hasPerson, into: hasPerson)
    spreadEdges()
  }

  private static func gather(_ finer: Raster<UInt8>, into marks: Raster<UInt8>) {
    marks.fill(with: 0)
    for row in 0..<finer.height {
      let (parts, blocks) = unsafe (finer.row(row), marks.row(row / 2))
      for column in 0..<finer.width where unsafe parts[column] != 0 {
        unsafe blocks[column / 2] = 1
      }
    }
  }
}

/// The geometry of the blocks of a `MotionField`.
enum MotionBlock {
  /// Each block represents a square of `1 << spacingShift` by `1 << spacingShift` samples.
  static let spacingShift = 2
  /// Side of the squares that `RowKernels.blockDistance` compares, in samples.
  static let window = 8
  /// Subsample vectors count sixteenths: `1 << fractionShift` are a sample.
  static let fractionShift = 4
}

/// A vector from a block to its earlier position, in samples unless documented otherwise.
typealias MotionVector = SIMD2<Int>
