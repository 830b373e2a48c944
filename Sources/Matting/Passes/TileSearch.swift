import PixelTypes

/// The tiles of a frame, which are searched in turn for small people.
///
/// A full-frame pass does not find these people.
struct TileSearch {
  /// Tiles of half the width and height of the frame that overlap by half.
  ///
  /// One of the tiles contains a person completely if the person is smaller than a quarter of the
  /// frame's width and height.
  private let tiles: [PixelRegion]
  private var nextIndex = 0
  /// The schedule of the tiles, which advances while there are no people.
  private var schedule = PassSchedule(interval: PassSchedule.tileInterval)

  /// Divides frames of `format` into tiles.
  init(format: FrameFormat) {
    schedule.restart()
    let extent = (width: (format.width + 1) / 2, height: (format.height + 1) / 2)
    var tiles: [PixelRegion] = []
    for row in 0..<3 {
      for column in 0..<3 {
        // Tiles begin at a chroma sample.
        tiles.append(
          PixelRegion(
            x: (format.width - extent.width) * column / 2 & ~1,
            y: (format.height - extent.height) * row / 2 & ~1,
            width: extent.width, height: extent.height))
      }
    }
    self.tiles = tiles
  }

  /// The number of tiles.
  var count: Int { tiles.count }

  /// Restarts with the first tile.
  mutating func reset() {
    nextIndex = 0
    schedule.restart()
  }

  /// Records whether a frame contains people, `ticks` after the previous frame.
  mutating func record(findsPeople: Bool, after ticks: Int) {
    if findsPeople { schedule.restart() } else { schedule.advance(by: ticks) }
  }

  /// Whether the next tile is due.
  var isDue: Bool { schedule.isDue }

  /// Returns the next tile.
  mutating func next() -> PixelRegion {
    schedule.restart()
    defer { nextIndex = (nextIndex + 1) % tiles.count }
    return tiles[nextIndex]
  }
}
