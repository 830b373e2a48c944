/// Tells the parts of a matte of people who come in at its left or right side from limbs of the one who is
/// shown.
///
/// A hand comes in at a side too. But then the arm, or the body, reached that side shortly before.
///
/// Time is given in the ticks of a `MatteClock`.
struct Newcomers {
  /// For so long after an arm reached a side a hand may come back there.
  private static let patience = MatteClock.ticks(seconds: 1)
  /// For so long what appears where a newcomer was is theirs: at first a network sees little of them, and
  /// not the same in each frame.
  private static let memory = MatteClock.ticks(seconds: 0.3)
  /// How far anybody moves in that time, as a share of the matte's width.
  private static let step = 0.05
  /// A part that ends so many samples before a side reaches it.
  private static let margin = 2

  /// What is known of a side.
  private struct Side {
    /// Ticks since what is shown reached it.
    var sinceShown = Newcomers.patience
    /// Ticks since a newcomer was seen there, and where they were in the time of the memory.
    var sinceNewcomer = Newcomers.memory
    var columns = 0..<0, rows = 0..<0

    var hasNewcomer: Bool { sinceNewcomer < Newcomers.memory }

    mutating func advance(by ticks: Int) {
      sinceShown = min(sinceShown + ticks, Newcomers.patience)
      sinceNewcomer = min(sinceNewcomer + ticks, Newcomers.memory)
    }

    /// Whether a part is a newcomer's, who is then remembered.
    mutating func take(_ part: ConnectedRuns.Component, reachesSide: Bool, reach: Int) -> Bool {
      guard sinceShown >= Newcomers.patience, reachesSide || isNear(part, reach: reach)
      else { return false }
      let (columns, rows) = (part.left..<part.right, part.top..<part.bottom)
      self.columns = hasNewcomer ? Self.union(self.columns, columns) : columns
      self.rows = hasNewcomer ? Self.union(self.rows, rows) : rows
      sinceNewcomer = 0
      return true
    }

    /// Whether a part lies within so many samples of where a newcomer was.
    private func isNear(_ part: ConnectedRuns.Component, reach: Int) -> Bool {
      hasNewcomer
        && part.left < columns.upperBound + reach && part.right > columns.lowerBound - reach
        && part.top < rows.upperBound + reach && part.bottom > rows.lowerBound - reach
    }

    private static func union(_ a: Range<Int>, _ b: Range<Int>) -> Range<Int> {
      min(a.lowerBound, b.lowerBound)..<max(a.upperBound, b.upperBound)
    }
  }

  private var left = Side(), right = Side()
  /// The columns that the network saw, and those of what was shown last.
  private var seen = 0..<0, shown = 0..<0
  private var reach = 0

  /// Forgets what was at the sides.
  mutating func reset() { (left, right) = (Side(), Side()) }

  /// Begins an inference, so many ticks after the last, whose network saw these columns of a matte.
  mutating func begin(seen columns: Range<Int>, ofWidth width: Int, after ticks: Int) {
    seen = columns
    reach = Int(Self.step * Double(width))
    left.advance(by: ticks)
    right.advance(by: ticks)
  }

  /// Whether a part that was not shown before is a newcomer's, who is then remembered.
  mutating func take(_ part: ConnectedRuns.Component) -> Bool {
    let isAtLeft = left.take(part, reachesSide: reachesLeft(part.left), reach: reach)
    return right.take(part, reachesSide: reachesRight(part.right), reach: reach) || isAtLeft
  }

  /// Notes what is shown of this inference.
  mutating func noteShown(_ kept: KeptSilhouette) {
    guard kept.area > 0 else { return }
    shown = kept.left..<kept.right
    if reachesLeft(kept.left) { left.sinceShown = 0 }
    if reachesRight(kept.right) { right.sinceShown = 0 }
  }

  /// Whether a column is one where a newcomer was, or nearer to their side, and far from what was shown.
  func surround(_ column: Int) -> Bool {
    left.hasNewcomer && column < min(left.columns.upperBound, shown.lowerBound - reach)
      || right.hasNewcomer && column >= max(right.columns.lowerBound, shown.upperBound + reach)
  }

  private func reachesLeft(_ column: Int) -> Bool { column <= seen.lowerBound + Self.margin }

  private func reachesRight(_ end: Int) -> Bool { end >= seen.upperBound - Self.margin }
}
