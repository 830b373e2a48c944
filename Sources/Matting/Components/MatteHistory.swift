import PixelTypes

/// Counts how long each sample has belonged to the person, and how long it has been uncertain.
///
/// The counts are in `MatteClock` ticks. A count rises while its condition holds, and falls while
/// it does not, so flicker has little effect. Only every second row has counts.
final class MatteHistory {
  /// The means of the counts over a component.
  struct Means {
    /// Mean presence, 0 to `maxPresence`.
    var presence = 0
    /// Mean doubt, 0 to `maxDoubt + 1`.
    var doubt = 0
  }

  /// The maximum presence: half a second, longer than the transient errors of a network.
  static let maxPresence = UInt8(MatteClock.ticks(seconds: 0.5))
  /// The maximum doubt, reached after two seconds, because a moving hand is blurred for less.
  ///
  /// It must be at most 127. Otherwise a sum in `countDoubt` overflows.
  ///
  /// Doubt rises by two and falls by one per tick. So a sample that is doubtful for more than a
  /// third of the time reaches the maximum.
  static let maxDoubt = UInt8(2 * MatteClock.ticks(seconds: 2))
  /// Alpha values that count as doubtful.
  static let doubtful: Range<UInt8> = 32..<200
  private static let doubtfulCount = UInt8(doubtful.count)

  private let presence: Raster<UInt8>
  private let doubt: Raster<UInt8>
  private let threshold: UInt8

  /// Allocates memory for mattes on `grid`.
  ///
  /// Samples with an alpha of at least `threshold` belong to the person.
  init(grid: MatteGrid, threshold: UInt8) {
    let rows = (grid.height + 1) / 2
    presence = Raster(width: grid.width, height: rows, filledWith: 0)
    doubt = Raster(width: grid.width, height: rows, filledWith: 0)
    self.threshold = threshold
  }

  /// Clears all counts.
  func reset() {
    presence.fill(with: 0)
    doubt.fill(with: 0)
  }

  /// Records the unmodified matte of an inference, `ticks` after the previous one.
  func record(_ matte: Raster<UInt8>, after ticks: Int) {
    let ticks = min(max(ticks, 0), Int(Self.maxDoubt) / 2)
    for y in 0..<presence.height {
      let row = unsafe UnsafePointer(matte.row(2 * y))
      unsafe Self.count(
        row, presence.row(y), presence.width, from: threshold,
        by: min(UInt8(ticks), Self.maxPresence))
      unsafe Self.countDoubt(row, doubt.row(y), presence.width, by: UInt8(ticks))
    }
  }

  // Two separate loops, because the compiler does not vectorise a combined one.

  private static func count(
    _ row: UnsafePointer<UInt8>, _ presence: UnsafeMutablePointer<UInt8>, _ width: Int,
    from threshold: UInt8, by ticks: UInt8
  ) {
    let maximum = maxPresence
    for x in 0..<width {
      let before = unsafe presence[x]
      let more = before &+ ticks
      let less = before > ticks ? before &- ticks : 0
      unsafe presence[x] = unsafe row[x] >= threshold ? (more < maximum ? more : maximum) : less
    }
  }

  private static func countDoubt(
    _ row: UnsafePointer<UInt8>, _ doubt: UnsafeMutablePointer<UInt8>, _ width: Int, by ticks: UInt8
  ) {
    let (maximum, twice) = (maxDoubt, 2 &* ticks)
    for x in 0..<width {
      let before = unsafe doubt[x]
      // `before` is at most `maximum + 1` and `twice` at most `maximum`, so no byte overflows.
      let sum = before &+ twice
      let more = before < maximum ? (sum <= maximum ? sum : maximum &+ 1) : before
      let less = before > ticks ? before &- ticks : 0
      // One comparison is enough: below the range the difference wraps around.
      let difference = unsafe row[x] &- doubtful.lowerBound
      unsafe doubt[x] = difference < doubtfulCount ? more : less
    }
  }

  /// Returns the means over a component of `forest`, or 0 if it has no samples in counted rows.
  func means(of number: Int, in forest: ConnectedComponents) -> Means {
    let box = forest[number]
    var (samples, present, doubted) = (0, 0, 0)
    var y = (box.top + 1) & ~1
    while y < box.bottom {
      let (presenceRow, doubtRow) = unsafe (presence.row(y / 2), doubt.row(y / 2))
      for i in forest.runs(inRow: y) where forest.component(of: i) == number {
        let run = forest.run(i)
        samples += run.count
        for x in Int(run.first)..<Int(run.end) {
          present += unsafe Int(presenceRow[x])
          doubted += unsafe Int(doubtRow[x])
        }
      }
      y += 2
    }
    guard samples > 0 else { return Means() }
    return Means(presence: present / samples, doubt: doubted / samples)
  }
}
