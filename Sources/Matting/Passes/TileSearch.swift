import PixelTypes

/// The parts of a frame in which people are looked for, in turns, who are too small to be seen in the
/// whole of it.
struct TileSearch {
  /// Each is half as large as the frame each way and overlaps its neighbours by half: whoever is
  /// smaller than a quarter of the frame each way is seen whole in one of them.
  private let parts: [PixelRegion]
  private var next = 0
  /// Ticks without anybody; nil while somebody is seen.
  private var ticks: Int?

  /// Ticks from one look to the next.
  private let interval: Int

  /// Divides frames of `format`, for a look each `interval` ticks.
  init(format: FrameFormat, interval: Int) {
    self.interval = interval
    let extent = (width: (format.width + 1) / 2, height: (format.height + 1) / 2)
    var parts: [PixelRegion] = []
    for row in 0..<3 {
      for column in 0..<3 {
        // They begin at a chroma sample.
        parts.append(
          PixelRegion(
            x: (format.width - extent.width) * column / 2 & ~1,
            y: (format.height - extent.height) * row / 2 & ~1,
            width: extent.width, height: extent.height))
      }
    }
    self.parts = parts
  }

  /// How many parts there are.
  var count: Int { parts.count }

  /// Begins with the first part, after somebody was seen.
  mutating func reset() { (next, ticks) = (0, nil) }

  /// Notes whether anybody is seen in a frame, so many ticks after the one before.
  mutating func note(seesPeople: Bool, after ticks: Int) {
    self.ticks = seesPeople ? nil : (self.ticks ?? 0) + ticks
  }

  /// Whether it is time to look at the next part.
  var isDue: Bool { (ticks ?? 0) >= interval }

  /// The part to look at next.
  mutating func nextPart() -> PixelRegion {
    ticks = 0
    defer { next = (next + 1) % parts.count }
    return parts[next]
  }
}
