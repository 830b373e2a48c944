import CGStreamer
import PixelTypes

/// Paints over what of a memory is no picture, black as the plane that it follows.
///
/// Planes may lie in any order, and rows of one between those of another. A plane without padding is
/// one row here, so that a frame that fills its memory costs nothing. Used on one thread.
@safe struct MemoryRest {
  /// The rows of a plane that are not passed yet.
  @safe private struct Rows {
    var next: UnsafeMutablePointer<UInt8>
    var count: Int
    let width: Int
    let stride: Int
    let black: UInt8
  }

  // Kept, so that a frame allocates nothing.
  private var planes: [Rows] = []

  /// Forgets the planes of the memory before.
  mutating func begin() {
    planes.removeAll(keepingCapacity: true)
  }

  /// Spares the samples of a plane; `black` is what the bytes are that follow them.
  mutating func spare(_ plane: Plane, black: UInt8) {
    let isWhole = plane.width == plane.stride
    unsafe planes.append(
      Rows(
        next: plane.base, count: isWhole ? 1 : plane.height,
        width: isWhole ? plane.width * plane.height : plane.width, stride: plane.stride,
        black: black))
  }

  /// Paints the bytes from `start` to `end` that are not spared.
  ///
  /// Safety: the memory is mapped for writing.
  mutating func paint(
    from start: UnsafeMutablePointer<UInt8>, to end: UnsafeMutablePointer<UInt8>
  ) {
    var place = unsafe start
    var black: UInt8?
    while let index = nextPlane {
      let rows = planes[index]
      unsafe Self.fill(from: place, to: rows.next, with: black ?? rows.black)
      unsafe place = max(place, rows.next + rows.width)
      black = rows.black
      planes[index].count -= 1
      if rows.count > 1 { unsafe planes[index].next = rows.next + rows.stride }
    }
    unsafe Self.fill(from: place, to: end, with: black ?? 0)
  }

  /// The plane whose next row comes first.
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
