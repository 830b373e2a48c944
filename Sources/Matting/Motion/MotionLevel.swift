import PixelTypes

/// A picture of a `MotionField` at a fraction of its size, and what is known of its blocks.
final class MotionLevel {
  /// Samples of the picture.
  let width: Int, height: Int
  let columns: Int, rows: Int
  /// The two pictures; the finest level has those that it was given.
  let earlier: Raster<UInt8>, current: Raster<UInt8>
  let reducer: BoxReducer
  /// Where a block lay, less where it is.
  let x: Raster<Int16>, y: Raster<Int16>
  /// 1 for blocks of the earlier picture with an edge of the matte in them, or near them.
  let hasEdge: Raster<UInt8>, isNearEdge: Raster<UInt8>
  /// 1 for blocks with a part that is all person.
  let hasPerson: Raster<UInt8>
  /// The extremes of a row of blocks.
  private let greatest: Raster<UInt8>, least: Raster<UInt8>
  /// 1 for blocks of the later picture that were not found; of those that were searched.
  let isStrange: Raster<UInt8>

  /// A block whose alpha is all below or all above these has no edge.
  private static let edge: ClosedRange<UInt8> = 8...247
  /// An edge is near a block that is so many blocks from it.
  private static let nearness = 2

  /// Makes a level of `width` by `height` samples; `finer` is nil for the picture as it is.
  init(width: Int, height: Int, finer: MotionLevel?, kernels: any RowKernels.Type) {
    self.width = width
    self.height = height
    let spacing = 1 << MotionBlock.spacingShift
    columns = (width + spacing - 1) / spacing
    rows = (height + spacing - 1) / spacing
    earlier = Raster(width: finer == nil ? 0 : width, height: height, filledWith: 0)
    current = Raster(width: finer == nil ? 0 : width, height: height, filledWith: 0)
    reducer = BoxReducer(width: finer?.width ?? 0, shift: 1, kernels: kernels)
    x = Raster(width: columns, height: rows, filledWith: 0)
    y = Raster(width: columns, height: rows, filledWith: 0)
    hasEdge = Raster(width: columns, height: rows, filledWith: 0)
    isNearEdge = Raster(width: columns, height: rows, filledWith: 0)
    hasPerson = Raster(width: columns, height: rows, filledWith: 0)
    greatest = Raster(width: finer == nil ? width : 0, height: 1, filledWith: 0)
    least = Raster(width: finer == nil ? width : 0, height: 1, filledWith: 0)
    isStrange = Raster(width: columns, height: rows, filledWith: 0)
  }

  /// Whether there is an edge near where a block lay.
  func isNearEdge(_ row: Int, _ column: Int, _ vector: MotionVector) -> Bool {
    let shift = MotionBlock.spacingShift
    let column = min(max(column + vector.x >> shift, 0), columns - 1)
    let row = min(max(row + vector.y >> shift, 0), rows - 1)
    return unsafe isNearEdge.row(row)[column] != 0
  }

  /// Whether a part of a block was all person.
  func hasPerson(_ row: Int, _ column: Int) -> Bool {
    unsafe hasPerson.row(row)[column] != 0
  }

  /// Marks the blocks around those with an edge.
  private func spreadEdges() {
    isNearEdge.fill(with: 0)
    for row in 0..<rows {
      let marks = unsafe hasEdge.row(row)
      for column in 0..<columns where unsafe marks[column] != 0 {
        let (left, right) = (
          max(column - Self.nearness, 0), min(column + Self.nearness, columns - 1)
        )
        for near in max(row - Self.nearness, 0)...min(row + Self.nearness, rows - 1) {
          unsafe (isNearEdge.row(near) + left).update(repeating: 1, count: right - left + 1)
        }
      }
    }
  }

  /// Finds the edges of a matte, and the person; for the finest level.
  func markParts(of matte: Raster<UInt8>, _ kernels: any RowKernels.Type) {
    let spacing = 1 << MotionBlock.spacingShift
    for row in 0..<rows {
      let first = unsafe matte.row(row * spacing)
      unsafe greatest.base.update(from: first, count: matte.width)
      unsafe least.base.update(from: first, count: matte.width)
      for y in row * spacing + 1..<min((row + 1) * spacing, matte.height) {
        unsafe kernels.maximumRow(greatest.base, matte.row(y), greatest.base, matte.width)
        unsafe kernels.minimumRow(least.base, matte.row(y), least.base, matte.width)
      }
      let (edges, people) = unsafe (hasEdge.row(row), hasPerson.row(row))
      for column in 0..<columns {
        var (low, high) = (UInt8.max, UInt8.min)
        for x in column * spacing..<min((column + 1) * spacing, matte.width) {
          low = unsafe min(low, least.base[x])
          high = unsafe max(high, greatest.base[x])
        }
        unsafe edges[column] = high >= Self.edge.lowerBound && low <= Self.edge.upperBound ? 1 : 0
        unsafe people[column] = low >= 128 ? 1 : 0
      }
    }
    spreadEdges()
  }

  /// Takes over what is known of the parts of the blocks.
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
