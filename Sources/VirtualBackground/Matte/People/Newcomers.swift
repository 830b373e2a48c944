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
    /// Ticks for which nothing that is shown reached it.
    var sinceShown = Newcomers.patience
    /// Ticks since a newcomer reached it, and where they were while they did.
    var sinceNewcomer = Newcomers.memory
    var columns = 0..<0, rows = 0..<0

    var hasNewcomer: Bool { sinceNewcomer < Newcomers.memory }

    /// Notes a part that reaches the side; returns whether it is a newcomer's.
    mutating func note(_ part: ConnectedRuns.Component) -> Bool {
      guard sinceShown >= Newcomers.patience else { return false }
      let (columns, rows) = (part.left..<part.right, part.top..<part.bottom)
      self.columns = hasNewcomer ? Self.union(self.columns, columns) : columns
      self.rows = hasNewcomer ? Self.union(self.rows, rows) : rows
      sinceNewcomer = 0
      return true
    }

    /// Whether a part lies within so many samples of where a newcomer was.
    func isNear(_ part: ConnectedRuns.Component, reach: Int) -> Bool {
      hasNewcomer
        && part.left < columns.upperBound + reach && part.right > columns.lowerBound - reach
        && part.top < rows.upperBound + reach && part.bottom > rows.lowerBound - reach
    }

    /// Notes whether what is shown reaches the side, so many ticks after the last time.
    mutating func note(isShown: Bool, after ticks: Int) {
      sinceShown = isShown ? 0 : min(sinceShown + ticks, Newcomers.patience)
    }

    private static func union(_ a: Range<Int>, _ b: Range<Int>) -> Range<Int> {
      min(a.lowerBound, b.lowerBound)..<max(a.upperBound, b.upperBound)
    }
  }

  private var left = Side(), right = Side()
  /// The columns that the network saw, and those of what was shown last.
  private var seen = 0..<0, shown = 0..<0
  private var reach = 0
  /// Ticks since the inference before.
  private var ticks = 1

  /// Whether a newcomer was at a side just now.
  var areKnown: Bool { left.hasNewcomer || right.hasNewcomer }

  /// Forgets what was at the sides.
  mutating func reset() { (left, right) = (Side(), Side()) }

  /// Begins an inference, so many ticks after the last, whose network saw these columns of a matte.
  mutating func begin(seen columns: Range<Int>, ofWidth width: Int, after ticks: Int) {
    (seen, self.ticks) = (columns, ticks)
    reach = Int(Self.step * Double(width))
    left.sinceNewcomer = min(left.sinceNewcomer + ticks, Self.memory)
    right.sinceNewcomer = min(right.sinceNewcomer + ticks, Self.memory)
  }

  /// Notes a part that was not shown before; returns whether a newcomer comes in with it.
  mutating func note(_ part: ConnectedRuns.Component) -> Bool {
    let isAtLeft = reachesLeft(part.left) && left.note(part)
    return reachesRight(part.right) && right.note(part) || isAtLeft
  }

  /// Whether a part that was not shown before lies where a newcomer was just now.
  func own(_ part: ConnectedRuns.Component) -> Bool {
    left.isNear(part, reach: reach) || right.isNear(part, reach: reach)
  }

  /// Notes what is shown of this inference.
  mutating func noteShown(_ kept: KeptSilhouette) {
    if kept.area > 0 { shown = kept.left..<kept.right }
    left.note(isShown: kept.area > 0 && reachesLeft(kept.left), after: ticks)
    right.note(isShown: kept.area > 0 && reachesRight(kept.right), after: ticks)
  }

  /// Whether a column is one where a newcomer was, or nearer to their side, and far from what was shown:
  /// their face may appear above their shoulder at any time.
  func cover(_ column: Int) -> Bool {
    left.hasNewcomer && column < min(left.columns.upperBound, shown.lowerBound - reach)
      || right.hasNewcomer && column >= max(right.columns.lowerBound, shown.upperBound + reach)
  }

  private func reachesLeft(_ column: Int) -> Bool { column <= seen.lowerBound + Self.margin }

  private func reachesRight(_ end: Int) -> Bool { end >= seen.upperBound - Self.margin }
}
