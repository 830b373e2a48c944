import CGStreamer
import PixelTypes

/// Paints the memory between and around planes black.
///
/// - Each gap gets the value for black of the plane before it.
/// - Planes may be in any order, and rows of different planes may alternate.
/// - A plane without padding counts as one row, so a frame without gaps needs no work.
///
/// Not thread-safe.
@safe struct MemoryRest {
  /// The rows of a plane that `paint` has not reached yet.
  @safe private struct Rows {
    var next: UnsafeMutablePointer<UInt8>
    var count: Int
    let width: Int
    let stride: Int
    let black: UInt8
  }

  // Reused, so that a frame allocates no memory.
  private var planes: [Rows] = []

  /// Discards the planes of the previous memory.
  mutating func begin() {
    planes.removeAll(keepingCapacity: true)
  }

  /// Adds a plane: `paint` does not change its samples.
  ///
  /// `paint` sets the bytes after its rows to `black`.
  mutating func spare(_ plane: Plane, black: UInt8) {
    let isWhole = plane.width == plane.stride
    unsafe planes.append(
      Rows(
        next: plane.base, count: isWhole ? 1 : plane.height,
        width: isWhole ? plane.width * plane.height : plane.width, stride: plane.stride,
        black: black))
  }

  /// Paints the bytes from `start` to `end` that do not belong to a plane.
  ///
  /// Safety: the memory must be mapped for writing.
  mutating func paint(
    from start: UnsafeMutablePointer<UInt8>, to end: UnsafeMutablePointer<UInt8>
  ) {
    var position = unsafe start
    var black: UInt8?
    while let index = nextPlane {
      let rows = planes[index]
      unsafe Self.fill(from: position, to: rows.next, with: black ?? rows.black)
      unsafe position = max(position, rows.next + rows.width)
      black = rows.black
      planes[index].count -= 1
      if rows.count > 1 { unsafe planes[index].next = rows.next + rows.stride }
    }
    unsafe Self.fill(from: position, to: end, with: black ?? 0)
  }

  /// The index of the plane with the first of the next rows, or nil if no rows are left.
  private var nextPlane: Int? {
    var found: Int?
    for index in planes.indices where planes[index].count > 0 {
      if let found, unsafe planes[found].next <= planes[index].next { continue }
      found = index
    }
    return found
  }

  private static func fill(
    from start: UnsafeMutablePointer<UInt8>, to end: UnsafeMutablePointer<UInt8>,
    with value: UInt8
  ) {
    if unsafe end > start { unsafe start.update(repeating: value, count: end - start) }
  }
}
