import PixelTypes

/// One crop per person, for people who are apart.
///
/// A single crop of all people would give the network less detail of each. Only for networks that
/// are not recurrent, which can run on one crop after the other.
struct PersonCrops {
  /// The crops, in arbitrary order, or empty if there are fewer than two people or too many.
  private(set) var crops: [CropTracker] = []

  /// The maximum number of crops: each costs an inference.
  private static let maxCount = 3
  /// How long people must be apart, in ticks, so that people who sometimes touch share a crop.
  private static let separationTime = MatteClock.ticks(seconds: 0.5)

  private let new: CropTracker
  private var ticksApart = separationTime
  private var isSmaller = false

  /// Creates crops that begin as `new`.
  init(_ new: CropTracker) {
    self.new = new
    // The crops of the previous frame stay until the new crops are inserted.
    crops.reserveCapacity(2 * Self.maxCount)
  }

  /// Whether each person gets a crop.
  var areUsed: Bool { isSmaller && ticksApart >= Self.separationTime }

  mutating func reset() {
    removeAll()
    ticksApart = Self.separationTime
  }

  /// Follows `people`, `ticks` after the previous frame.
  ///
  /// `whole` is the crop of all people.
  mutating func follow(_ people: [PixelRegion], in whole: PixelRegion, after ticks: Int) {
    guard people.count > 1, people.count <= Self.maxCount else {
      removeAll()
      return
    }
    ticksApart = min(ticksApart + ticks, Self.separationTime)
    for (i, person) in people.enumerated() {
      let others = i..<max(crops.count, i)
      if let own = others.max(by: { overlap(person, $0) < overlap(person, $1) }),
        overlap(person, own) > 0
      {
        crops.swapAt(i, own)
        crops[i].follow(person, after: ticks)
      } else {
        var crop = new
        crop.follow(person, isNew: true)
        crops.insert(crop, at: i)
      }
    }
    crops.removeLast(crops.count - people.count)
    let area = crops.reduce(0) { $0 + $1.region.area }
    // Hysteresis, so that the choice does not change in each frame.
    isSmaller = Double(area) <= Double(whole.area) * (isSmaller ? 1.1 : 1)
  }

  /// Removes the crops if one of `people` is outside all of them.
  mutating func include(_ people: [PixelRegion]) {
    guard !crops.isEmpty else { return }
    if people.contains(where: { person in !crops.contains { $0.holds(person) } }) { removeAll() }
  }

  private mutating func removeAll() {
    crops.removeAll(keepingCapacity: true)
    isSmaller = false
    ticksApart = 0
  }

  private func overlap(_ person: PixelRegion, _ index: Int) -> Int {
    let crop = crops[index].region
    let width = min(person.endX, crop.endX) - max(person.x, crop.x)
    let height = min(person.endY, crop.endY) - max(person.y, crop.y)
    return max(width, 0) * max(height, 0)
  }
}
