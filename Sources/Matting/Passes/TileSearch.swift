import PixelTypes

/// The tiles of a frame, which are searched in turn for small people.
///
/// A full-frame pass does not find these people. Tiles have half of the width and height of the
/// frame and overlap by half. One of them contains a person completely if the person is smaller
/// than a quarter of the frame's width and height.
struct TileSearch {
  /// The number of tiles.
  static let count = columns * columns
  private static let columns = 3

  private let format: FrameFormat
  private var nextIndex = 0
  /// The schedule of the tiles, which advances while there are no people.
  private var schedule = PassSchedule(interval: PassSchedule.searchInterval)

  /// Divides frames of `format` into tiles.
  init(format: FrameFormat) {
    self.format = format
    schedule.restart()
  }

  /// Restarts with the first tile.
  mutating func reset() { self = TileSearch(format: format) }

  /// Records whether a frame contains people, `ticks` after the previous frame.
  mutating func record(findsPeople: Bool, after ticks: Int) {
    if findsPeople { schedule.restart() } else { schedule.advance(by: ticks) }
  }

  /// Whether the next tile is due.
  var isDue: Bool { schedule.isDue }

  /// Returns the next tile.
  mutating func next() -> PixelRegion {
    schedule.restart()
    let (row, column) = nextIndex.quotientAndRemainder(dividingBy: Self.columns)
    nextIndex = (nextIndex + 1) % Self.count
    let (width, height) = ((format.width + 1) / 2, (format.height + 1) / 2)
    // Tiles begin at a chroma sample.
    return PixelRegion(
      x: (format.width - width) * column / 2 & ~1, y: (format.height - height) * row / 2 & ~1,
      width: width, height: height)
  }
}
