import PixelTypes

/// The ranges of pixels to treat along the person's edge, for each row of cells.
final class EdgeSpans {
  private let grid: EdgeGrid
  private let width: Int
  /// The first pixels and ends of the spans of all rows of cells.
  private let bounds: Raster<Int32>
  /// The index of the first span of each row of cells, followed by the total number of spans.
  private let starts: Raster<Int32>

  /// Allocates memory for the spans of frames `width` pixels wide, which must be even.
  init(grid: EdgeGrid, width: Int) {
    self.grid = grid
    self.width = width
    bounds = Raster(width: 2 * (grid.width / 2 + 1), height: grid.height, filledWith: 0)
    starts = Raster(width: grid.height + 1, height: 1, filledWith: 0)
  }

  /// Returns the first pixel and the end of each span of a row of cells, from left to right.
  ///
  /// All of these numbers are even. The buffer is valid until the next call of `find`.
  func bounds(inRow row: Int) -> UnsafeBufferPointer<Int32> {
    let (first, end) = unsafe (Int(starts.base[row]), Int(starts.base[row + 1]))
    return unsafe UnsafeBufferPointer(start: bounds.base + 2 * first, count: 2 * (end - first))
  }

  /// Finds the spans of all rows of cells.
  ///
  /// The spans contain the cells with a mark other than 0, and the cells directly above and below.
  /// Each run of cells is extended by at least `margin` pixels to both sides.
  func find(in marks: Raster<UInt8>, margin: Int) {
    var count = 0
    for y in 0..<grid.height {
      unsafe starts.base[y] = Int32(count)
      let first = count
      let above = unsafe marks.row(max(y - 1, 0))
      let row = unsafe marks.row(y)
      let below = unsafe marks.row(min(y + 1, grid.height - 1))
      for x in 0..<grid.width where unsafe above[x] | row[x] | below[x] != 0 {
        let begin = max((x << grid.shift) - margin, 0) & ~(AlphaRows.grain - 1)
        let reach = ((x + 1) << grid.shift) + margin + AlphaRows.grain - 1
        let end = Int32(min(reach & ~(AlphaRows.grain - 1), width))
        if count > first, unsafe Int(bounds.base[2 * count - 1]) >= begin {
          unsafe bounds.base[2 * count - 1] = end
        } else {
          unsafe bounds.base[2 * count] = Int32(begin)
          unsafe bounds.base[2 * count + 1] = end
          count += 1
        }
      }
    }
    unsafe starts.base[grid.height] = Int32(count)
  }
}
