import PixelTypes

/// Follows people with a crop, the part of the frame that a network processes.
///
/// - A small crop gives the network more detail.
/// - The network cannot find a person outside the crop. The crop therefore moves at once if a
///   person comes near its edge.
/// - Each change of the crop disturbs the matte. The crop therefore shrinks only after a delay.
struct CropTracker {
  /// The crop, in pixels of the frame.
  private(set) var region: PixelRegion

  private let frame: PixelRegion
  private let margins: CropMargins
  /// Width divided by height of the network's input.
  private let aspect: Double
  /// Delays shrinking until the crop has been too large for a while.
  private var shrinking = Debouncer()

  /// The maximum ratio between the aspects of the crop and of the network's input.
  private static let maxStretch = 1.3
  /// The minimum share of the frame's width and height.
  ///
  /// The networks recognise people, but not small parts of people.
  private static let minExtent = 1.0 / 4
  /// The area above which the crop is too large, as a multiple of the optimal area.
  private static let maxExcess = 1.25
  /// Ticks for which the crop must be too large before it shrinks: a lowered hand may rise again.
  private static let shrinkDelay = MatteClock.ticks(seconds: 0.5)
  /// The minimum share of the margin that must be left for the crop to stay.
  private static let minMargin = 0.5

  /// The maximum share of a person's size by which a coarse full-frame matte may exceed the crop.
  private static let coarseness = 0.08

  /// Creates a tracker that starts with the full frame of `format`, for a network.
  init(format: FrameFormat, network: any Segmenter, margins: CropMargins) {
    frame = PixelRegion(wholeOf: format)
    region = frame
    self.margins = margins
    aspect = Double(network.inputFormat.width) / Double(network.inputFormat.height)
  }

  /// Whether the crop is the full frame.
  var isWhole: Bool { region == frame }

  /// Returns to the full frame.
  mutating func reset() {
    region = frame
    shrinking.reset()
  }

  /// Chooses the crop for the next frame.
  ///
  /// `people` is the region of the people in this frame. `ticks` is the time since the previous
  /// frame. If `isNew`, the crop becomes the optimal crop at once.
  mutating func follow(_ people: PixelRegion?, after ticks: Int = 1, isNew: Bool = false) {
    let wanted = people.map { crop(for: $0) } ?? frame
    let holdsPeople = people.map { holds($0, margin: margins.margin * Self.minMargin) } == true
    let isTooLarge = Double(region.area) > Self.maxExcess * Double(wanted.area)
    if isNew || !holdsPeople || shrinking.record(isTooLarge, after: ticks, lasts: Self.shrinkDelay)
    {
      region = wanted
      shrinking.reset()
    }
  }

  /// Enlarges the crop if people are outside of it.
  mutating func include(_ people: PixelRegion?) {
    guard let people, !holds(people) else { return }
    region = crop(for: region.union(people))
    shrinking.reset()
  }

  /// Returns whether the crop contains `people` that a full-frame pass found.
  func holds(_ people: PixelRegion) -> Bool { holds(people, margin: -Self.coarseness) }

  /// Returns whether the crop contains `people` with a margin, except at the edges of the frame.
  private func holds(_ people: PixelRegion, margin: Double) -> Bool {
    let margin = Int(margin * extent(of: people))
    return (people.x - margin >= region.x || region.x == 0)
      && (people.y - margin >= region.y || region.y == 0)
      && (people.endX + margin <= region.endX || region.endX == frame.width)
      && (people.endY + margin <= region.endY || region.endY == frame.height)
  }

  /// Returns the length from which the margin is computed.
  ///
  /// For distant people it is only the height, because spread arms would make the crop too large.
  /// For 22 people of a third of the frame's height, the MAD of `balanced` is 1.14 instead of 1.37.
  /// Nearer people move through more of the frame and need a larger margin.
  private func extent(of people: PixelRegion) -> Double {
    let isFar = 5 * people.height < 2 * frame.height
    return Double(isFar ? people.height : max(people.width, people.height))
  }

  /// Returns the optimal crop for `people`.
  private func crop(for people: PixelRegion) -> PixelRegion {
    let margin = margins.margin * extent(of: people)
    let x = Self.extent(Double(people.x) - margin, Double(people.endX) + margin, frame.width)
    let y = Self.extent(Double(people.y) - margin, Double(people.endY) + margin, frame.height)
    var width = max(x.length, Double(frame.width) * Self.minExtent)
    var height = max(y.length, Double(frame.height) * Self.minExtent)
    height = max(height, min(width / (aspect * Self.maxStretch), Double(frame.height)))
    width = max(width, min(height * aspect / Self.maxStretch, Double(frame.width)))
    let columns = Self.range(x.centre, width, frame.width)
    let rows = Self.range(y.centre, height, frame.height)
    let crop = PixelRegion(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    // Hysteresis: a person must not stay at a size where each step changes the network.
    let share = margins.maxShare * (isWhole ? 1 : 1.1)
    return Double(crop.area) > share * Double(frame.area) ? frame : crop
  }

  private static func extent(
    _ first: Double, _ end: Double, _ limit: Int
  ) -> (centre: Double, length: Double) {
    let (first, end) = (max(first, 0), min(end, Double(limit)))
    return ((first + end) / 2, max(end - first, 1))
  }

  /// Returns `length` pixels around a centre, moved into `limit`, that begin at a chroma sample.
  private static func range(_ centre: Double, _ length: Double, _ limit: Int) -> Range<Int> {
    let first = min(max(centre - length / 2, 0), max(Double(limit) - length, 0))
    let begin = Int(first) & ~1
    let end = min(Int((first + length).rounded(.up)), limit)
    return begin..<max(end, begin + 1)
  }
}
