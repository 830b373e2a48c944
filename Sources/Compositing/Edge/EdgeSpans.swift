import PixelTypes

/// Where something is to be done along the person's edge: for each row of cells, ranges of pixels.
final class EdgeSpans {
  /// Spans begin and end at multiples of this, so that the kernels have no rest after their vectors.
  private static let alignment = 32

  private let grid: EdgeGrid
  private let width: Int
  /// First pixels and ends of the spans of all rows of cells.
  private let bounds: Raster<Int32>
  /// For each row of cells, and one beyond, the number of its first span.
  private let starts: Raster<Int32>

  /// Memory for the spans of frames `width` pixels wide, which must be even.
  init(grid: EdgeGrid, width: Int) {
    self.grid = grid
    self.width = width
    bounds = Raster(width: 2 * (grid.width / 2 + 1), height: grid.height, filledWith: 0)
    starts = Raster(width: grid.height + 1, height: 1, filledWith: 0)
  }

  /// The first pixels and ends of a row's spans in turn, from left to right, all of them even; valid
  /// until `find` is called again.
  func bounds(inRow row: Int) -> UnsafeBufferPointer<Int32> {
    let (first, end) = unsafe (Int(starts.base[row]), Int(starts.base[row + 1]))
    return unsafe UnsafeBufferPointer(start: bounds.base + 2 * first, count: 2 * (end - first))
  }

  /// Takes the cells that are not 0 in `marks`, the row above and the row below too.
  ///
  /// Each run of cells reaches at least `margin` pixels to both sides.
  func find(in marks: Raster<UInt8>, margin: Int) {
    var count = 0
    for y in 0..<grid.height {
      unsafe starts.base[y] = Int32(count)
      let first = count
      let above = unsafe marks.row(max(y - 1, 0))
      let row = unsafe marks.row(y)
      let below = unsafe marks.row(min(y + 1, grid.height - 1))
      for x in 0..<grid.width where unsafe above[x] | row[x] | below[x] != 0 {
        let begin = max((x << grid.shift) - margin, 0) & ~(Self.alignment - 1)
        let reach = ((x + 1) << grid.shift) + margin + Self.alignment - 1
        let end = Int32(min(reach & ~(Self.alignment - 1), width))
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
