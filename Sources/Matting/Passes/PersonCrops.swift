import InferenceTypes
import PixelTypes

/// Views of people who are apart, one for each: a view of all of them would show each one smaller.
///
/// For networks without a memory, which run on one view after the other. Allocates nothing after it
/// is made.
struct PersonCrops {
  /// One for each of the people, in no order; none where there are fewer than two or too many.
  private(set) var views: [CropTracker] = []

  /// Each view costs an inference.
  private static let maxCount = 3
  /// People whose silhouettes touch now and then stay in one view, so that it does not change often.
  private static let patience = MatteClock.ticks(seconds: 0.5)

  private let new: CropTracker
  private var ticksApart = patience
  private var isSmaller = false

  /// For views that begin as `new`.
  init(_ new: CropTracker) {
    self.new = new
    // Those of the frame before stay until the new ones are in.
    views.reserveCapacity(2 * Self.maxCount)
  }

  /// Whether the people are to be looked at one by one.
  var areUsed: Bool { isSmaller && ticksApart >= Self.patience }

  /// Knows nobody any more.
  mutating func reset() {
    leave()
    ticksApart = Self.patience
  }

  /// Follows `people`, so many ticks after the frame before; `whole` is the view of all of them.
  mutating func follow(_ people: [PixelRegion], in whole: PixelRegion, after ticks: Int) {
    guard people.count > 1, people.count <= Self.maxCount else {
      leave()
      return
    }
    ticksApart = min(ticksApart + ticks, Self.patience)
    for (i, person) in people.enumerated() {
      let others = i..<max(views.count, i)
      if let own = others.max(by: { overlap(person, $0) < overlap(person, $1) }),
        overlap(person, own) > 0
      {
        views.swapAt(i, own)
        views[i].follow(person, after: ticks)
      } else {
        var view = new
        view.follow(person, isNew: true)
        views.insert(view, at: i)
      }
    }
    views.removeLast(views.count - people.count)
    let area = views.reduce(0) { $0 + $1.view.area }
    // What is used stays for a little longer, so that it does not change in each frame.
    isSmaller = Double(area) <= Double(whole.area) * (isSmaller ? 1.1 : 1)
  }

  /// Gives the views up where one of `people` is in none of them.
  mutating func include(_ people: [PixelRegion]) {
    guard !views.isEmpty else { return }
    if people.contains(where: { person in !views.contains { $0.holds(person) } }) { leave() }
  }

  private mutating func leave() {
    views.removeAll(keepingCapacity: true)
    isSmaller = false
    ticksApart = 0
  }

  private func overlap(_ person: PixelRegion, _ index: Int) -> Int {
    let view = views[index].view
    let width = min(person.endX, view.endX) - max(person.x, view.x)
    let height = min(person.endY, view.endY) - max(person.y, view.y)
    return max(width, 0) * max(height, 0)
  }
}
