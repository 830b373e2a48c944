import PixelTypes

/// For how long each sample has been the person's, and for how long the network has been in doubt
/// of it.
///
/// Both are counts that rise while it is so and fall while it is not, by the ticks of a `MatteClock`, so
/// that what flickers is neither forgotten at once nor believed at once. They are kept for every
/// second row.
final class MatteHistory {
  /// The means of the counts over a component.
  struct Means {
    /// 0 to `mostPresence`.
    var presence = 0
    /// 0 to one more than `mostDoubt`.
    var doubt = 0
  }

  /// A sample is known to be the person's, or the room's again, after half a second: longer than a
  /// network is wrong in passing.
  static let mostPresence = UInt8(MatteClock.ticks(seconds: 0.5))
  /// Doubt rises by two and falls by one: what is in doubt a third of the time is so for good.
  ///
  /// It is complete after two seconds: a hand that moves is blurred for less.
  static let mostDoubt = UInt8(2 * MatteClock.ticks(seconds: 2))
  /// Alpha of which a network is in doubt.
  static let doubtful: Range<UInt8> = 32..<200
  private static let doubtfulCount: UInt8 = 168

  private let presence: Raster<UInt8>
  private let doubt: Raster<UInt8>
  private let threshold: UInt8

  /// Allocates memory for mattes on `grid`, in which samples of at least `threshold` are the
  /// person's.
  init(grid: MatteGrid, threshold: UInt8) {
    let rows = (grid.height + 1) / 2
    presence = Raster(width: grid.width, height: rows, filledWith: 0)
    doubt = Raster(width: grid.width, height: rows, filledWith: 0)
    self.threshold = threshold
  }

  /// Forgets all.
  func reset() {
    presence.fill(with: 0)
    doubt.fill(with: 0)
  }

  /// Takes in the matte of an inference, as the network gave it, so many ticks after the one before.
  func record(_ matte: Raster<UInt8>, after ticks: Int) {
    let ticks = min(max(ticks, 0), Int(Self.mostDoubt) / 2)
    for y in 0..<presence.height {
      let row = unsafe UnsafePointer(matte.row(2 * y))
      unsafe Self.count(
        row, presence.row(y), presence.width, from: threshold,
        by: min(UInt8(ticks), Self.mostPresence))
      unsafe Self.countDoubt(row, doubt.row(y), presence.width, by: UInt8(ticks))
    }
  }

  // A loop for each, or the compiler does not vectorise them.

  private static func count(
    _ row: UnsafePointer<UInt8>, _ presence: UnsafeMutablePointer<UInt8>, _ width: Int,
    from threshold: UInt8, by ticks: UInt8
  ) {
    let most = mostPresence
    for x in 0..<width {
      let before = unsafe presence[x]
      let more = before &+ ticks
      let less = before > ticks ? before &- ticks : 0
      unsafe presence[x] = unsafe row[x] >= threshold ? (more < most ? more : most) : less
    }
  }

  private static func countDoubt(
    _ row: UnsafePointer<UInt8>, _ doubt: UnsafeMutablePointer<UInt8>, _ width: Int, by ticks: UInt8
  ) {
    let (most, twice) = (mostDoubt, 2 &* ticks)
    for x in 0..<width {
      let before = unsafe doubt[x]
      // At most one more than the most, and twice that: no byte overflows.
      let sum = before &+ twice
      let more = before < most ? (sum <= most ? sum : most &+ 1) : before
      let less = before > ticks ? before &- ticks : 0
      // One comparison: below the range the difference wraps around.
      let difference = unsafe row[x] &- doubtful.lowerBound
      unsafe doubt[x] = difference < doubtfulCount ? more : less
    }
  }

  /// The means over a component of `forest`; 0 for one that lies in no second row.
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
