import PixelTypes

/// The tiles of a frame that are searched in turn for people who are too small for a full-frame
/// pass.
struct TileSearch {
  /// Tiles of half the width and height of the frame that overlap by half.
  ///
  /// A person smaller than a quarter of the width and height is complete in one of them.
  private let tiles: [PixelRegion]
  private var next = 0
  /// Ticks without people, or nil while there are some.
  private var ticks: Int?

  /// Ticks from one tile to the next.
  private let interval: Int

  /// Divides frames of `format`, to search a tile each `interval` ticks.
  init(format: FrameFormat, interval: Int) {
    self.interval = interval
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
  mutating func reset() { (next, ticks) = (0, nil) }

  /// Records whether a frame shows people, `ticks` after the frame before.
  mutating func record(findsPeople: Bool, after ticks: Int) {
    self.ticks = findsPeople ? nil : (self.ticks ?? 0) + ticks
  }

  /// Whether the next tile is due.
  var isDue: Bool { (ticks ?? 0) >= interval }

  /// Returns the next tile.
  mutating func nextTile() -> PixelRegion {
    ticks = 0
    defer { next = (next + 1) % tiles.count }
    return tiles[next]
  }
}
