import InferenceTypes
import PixelTypes

/// Follows the people with the part of the frame that the network sees, its view.
///
/// A small view shows them large, but each change of it disturbs the matte, and a person outside of
/// it is not seen at all. So the view moves at once when a person comes near its edge, and becomes
/// smaller only after that was possible for a while.
struct CropTracker {
  /// The part of the frame to look at.
  private(set) var view: PixelRegion

  private let frame: PixelRegion
  private let framing: Framing
  /// The shape that the network likes best.
  private let aspect: Double
  /// For how long a smaller view would have done.
  private var roomyTime = Debouncer()

  /// A view may depart so far from the network's shape: people look that much wider or narrower.
  private static let maxStretch = 1.3
  /// A view shows at least this share of each extent: the network knows people, not their parts.
  private static let minExtent = 1.0 / 4
  /// A view of so many times the wanted area is too large.
  private static let roominess = 1.25
  /// It is made smaller after so long: a hand that is put down comes up again.
  private static let patience = MatteClock.ticks(seconds: 0.5)
  /// As long as this share of the margin is left, the view stays.
  private static let minMargin = 0.5

  /// The overview is coarse: what is so little outside is the edge of those who are inside.
  private static let coarseness = 0.08

  /// Looks at the whole of frames of `format`; for a network whose input has the given aspect.
  init(format: FrameFormat, aspect: Double, framing: Framing) {
    frame = PixelRegion(wholeOf: format)
    view = frame
    self.framing = framing
    self.aspect = aspect
  }

  /// Whether the view is the whole frame.
  var isWhole: Bool { view == frame }

  /// Looks at the whole frame again.
  mutating func reset() {
    view = frame
    roomyTime.reset()
  }

  /// Chooses the view for the next frame, where `people` were found in this one, so many ticks after
  /// the one before; nil where there are none.
  ///
  /// A view that `isNew` becomes the best one at once.
  mutating func follow(_ people: PixelRegion?, after ticks: Int = 1, isNew: Bool = false) {
    guard let people else {
      view = frame
      roomyTime.reset()
      return
    }
    let wanted = view(of: people)
    if isNew || !holds(people, margin: framing.margin * Self.minMargin) {
      view = wanted
      roomyTime.reset()
      return
    }
    let isRoomy = Double(view.area) > Self.roominess * Double(wanted.area)
    if roomyTime.note(isRoomy, after: ticks, lasts: Self.patience) {
      view = wanted
      roomyTime.reset()
    }
  }

  /// Makes the view larger when a person was seen outside of it.
  mutating func include(_ people: PixelRegion?) {
    guard let people, !holds(people) else { return }
    view = view(of: view.union(people))
    roomyTime.reset()
  }

  /// Whether the view shows all of `people` that an overview found.
  func holds(_ people: PixelRegion) -> Bool { holds(people, margin: -Self.coarseness) }

  /// Whether the view shows `people` with a margin, where the frame does not end.
  private func holds(_ people: PixelRegion, margin: Double) -> Bool {
    let margin = Int(margin * extent(of: people))
    return (people.x - margin >= view.x || view.x == 0)
      && (people.y - margin >= view.y || view.y == 0)
      && (people.endX + margin <= view.endX || view.endX == frame.width)
      && (people.endY + margin <= view.endY || view.endY == frame.height)
  }

  /// What the margin is a share of.
  ///
  /// Arms make nobody taller: with the width in it the network saw people of a third of the frame's
  /// height smaller than it needs to. For 22 of them MAD of `balanced` is 1.14 instead of 1.37. People who
  /// are nearer, and move through more of the frame, are better off with more around them.
  private func extent(of people: PixelRegion) -> Double {
    let isFar = 5 * people.height < 2 * frame.height
    return Double(isFar ? people.height : max(people.width, people.height))
  }

  /// The view that shows `people` best.
  private func view(of people: PixelRegion) -> PixelRegion {
    let margin = framing.margin * extent(of: people)
    let x = Self.extent(Double(people.x) - margin, Double(people.endX) + margin, frame.width)
    let y = Self.extent(Double(people.y) - margin, Double(people.endY) + margin, frame.height)
    var width = max(x.length, Double(frame.width) * Self.minExtent)
    var height = max(y.length, Double(frame.height) * Self.minExtent)
    height = max(height, min(width / (aspect * Self.maxStretch), Double(frame.height)))
    width = max(width, min(height * aspect / Self.maxStretch, Double(frame.width)))
    let columns = Self.range(x.centre, width, frame.width)
    let rows = Self.range(y.centre, height, frame.height)
    let view = PixelRegion(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    // A person must not stay where each step changes from one network to the other.
    let share = framing.maxShare * (isWhole ? 1 : 1.1)
    return Double(view.area) > share * Double(frame.area) ? frame : view
  }

  private static func extent(
    _ first: Double, _ end: Double, _ limit: Int
  ) -> (centre: Double, length: Double) {
    let (first, end) = (max(first, 0), min(end, Double(limit)))
    return ((first + end) / 2, max(end - first, 1))
  }

  /// Where `length` pixels around a centre lie within `limit`; begins at a chroma sample.
  private static func range(_ centre: Double, _ length: Double, _ limit: Int) -> Range<Int> {
    let first = min(max(centre - length / 2, 0), max(Double(limit) - length, 0))
    let begin = Int(first) & ~1
    let end = min(Int((first + length).rounded(.up)), limit)
    return begin..<max(end, begin + 1)
  }
}
