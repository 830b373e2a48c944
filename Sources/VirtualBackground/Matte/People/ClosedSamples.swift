import PixelTypes

/// How far each sample of a matte is closed because a hole was found there.
///
/// A hole is enclosed now and open then, as a finger bends; closing and opening gradually keeps
/// that from flickering. Where the network sees the room for certain nothing is closed.
final class ClosedSamples {
  /// By how much a hole is closed in a tick of a `MatteClock`, of 255, and by how much it opens
  /// again: a sixth of a second, and two.
  private static let closing = 48, opening = 4
  /// Alpha up to which a sample is certainly the room's, and from which on it is closed wholly.
  private static let room = 4, doubtful = 16

  private let memory: Raster<UInt8>
  /// Whether a row has a sample that is closed.
  private var rows: [Bool]
  private var hasPast = false

  /// Allocates memory for mattes on `grid`.
  init(grid: MatteGrid) {
    memory = Raster(width: grid.width, height: grid.height, filledWith: 0)
    rows = Array(repeating: false, count: grid.height)
  }

  /// Forgets all: the holes of the next matte are closed at once.
  func forgetPast() {
    memory.fill(with: 0)
    for y in rows.indices { rows[y] = false }
    hasPast = false
  }

  /// There is a hole in a run of row `y`, to be closed gradually to `most` of 255: so many ticks
  /// have passed.
  func close(_ run: ConnectedRuns.Run, row y: Int, to most: Int, after ticks: Int) {
    let row = unsafe memory.row(y)
    let amount = (Self.closing + Self.opening) * ticks
    for x in Int(run.first)..<Int(run.end) {
      let now = unsafe Int(row[x])
      let next = hasPast ? min(now + amount, most) : most
      unsafe row[x] = UInt8(max(now, next))
    }
    rows[y] = true
  }

  /// Closes the samples in `matte`, and opens them a little for the next one: what so many ticks
  /// open.
  func apply(to matte: Raster<UInt8>, opening ticks: Int) {
    let opening = Self.opening * ticks
    for y in rows.indices where rows[y] {
      let (row, closed) = unsafe (matte.row(y), memory.row(y))
      var isClosed = false
      for x in 0..<memory.width where unsafe closed[x] > 0 {
        let (alpha, amount) = unsafe (Int(row[x]), Int(closed[x]))
        let range = Self.doubtful - Self.room
        let part = min(max(alpha - Self.room, 0), range)
        unsafe row[x] = UInt8(alpha + (255 - alpha) * amount * part / (255 * range))
        unsafe closed[x] = UInt8(max(amount - opening, 0))
        isClosed = true
      }
      rows[y] = isClosed
    }
    hasPast = true
  }
}
