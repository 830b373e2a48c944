import Matting

/// Tells those who come in at the left or right side of a matte from limbs of the one who is shown.
///
/// A hand comes in at a side too. But then the arm, or the body, was near shortly before.
///
/// Time is given in the ticks of a `MatteClock`. Allocates nothing after it is made.
struct Newcomers {
  /// For so long after an arm reached a side a hand may come back there.
  private static let patience = MatteClock.ticks(seconds: 1)
  /// For so long what appears where a newcomer was is theirs: at first a network sees little of them, and
  /// not the same in each frame.
  private static let memory = MatteClock.ticks(seconds: 0.3)
  /// How far from where a newcomer was their other parts may be, as a share of the matte's width.
  private static let nearness = 0.05
  /// How much nearer to a side a limb may come in a tick, as a share of the matte's width.
  private static let step = 0.05
  /// After so long a limb of what was shown may be anywhere.
  private static let longestStep = MatteClock.ticks(seconds: 0.3)
  /// How far from where an arm reached a side a hand may come back, as a share of the matte's height...
  private static let returnReach = 0.25
  /// ...and how far from where they were limbs may reach it.
  private static let limbReach = 0.1
  /// A part that ends so many samples before a side reaches it.
  private static let margin = 2

  /// What reaches a side.
  struct Contact: OptionSet {
    let rawValue: UInt8
    /// If it is a part that was not shown before, it is a newcomer's.
    static let own = Contact(rawValue: 1)
    /// If it is a part that was, a newcomer has become one with that.
    static let joined = Contact(rawValue: 2)
  }

  /// What is known of a side; columns count from it.
  private struct Side {
    let isRight: Bool, width: Int
    /// Where the network begins to see, and where it began the last time.
    var edge = 0, formerEdge = 0
    /// Of each row, ticks since what is shown reached the side.
    var sinceShown: [Int]
    /// Of each row, where what was shown last begins.
    var shown: [Int]
    /// Of each row, with what a newcomer reaches the side.
    var contacts: [Contact]
    /// Ticks since a newcomer reached it, and where they were while they did.
    var sinceNewcomer = Newcomers.memory
    var columns = 0..<0, rows = 0..<0

    init(isRight: Bool, width: Int, height: Int) {
      (self.isRight, self.width) = (isRight, width)
      sinceShown = Array(repeating: Newcomers.patience, count: height)
      shown = Array(repeating: Int.max, count: height)
      contacts = Array(repeating: [], count: height)
    }

    var hasNewcomer: Bool { sinceNewcomer < Newcomers.memory }
    /// What begins no later reaches the side; what the network did not see the last time counts too.
    var limit: Int { max(edge, formerEdge) + Newcomers.margin }

    mutating func reset() {
      for y in sinceShown.indices {
        (sinceShown[y], shown[y], contacts[y]) = (Newcomers.patience, Int.max, [])
      }
      sinceNewcomer = Newcomers.memory
      (columns, rows) = (0..<0, 0..<0)
    }

    mutating func begin(seen columns: Range<Int>, isFirst: Bool, after ticks: Int) {
      let edge = fromHere(columns).lowerBound
      (self.edge, formerEdge) = (edge, isFirst ? edge : self.edge)
      sinceNewcomer = min(sinceNewcomer + ticks, Newcomers.memory)
    }

    /// Columns of the matte, counted from this side.
    func fromHere(_ columns: Range<Int>) -> Range<Int> {
      isRight ? width - columns.upperBound..<width - columns.lowerBound : columns
    }

    /// The runs of a row, the nearest to this side first, up to `body` returning false.
    func forEachRun(
      _ y: Int, of parts: ConnectedComponents, _ body: (ConnectedComponents.Run) -> Bool
    ) {
      let runs = parts.runs(inRow: y)
      for i in 0..<runs.count {
        let number = isRight ? runs.upperBound - 1 - i : runs.lowerBound + i
        guard body(parts.run(number)) else { return }
      }
    }

    /// Finds the rows in which something reaches the side, far from what is shown.
    ///
    /// A limb may have come nearer by `step` since the last inference; nil stands for any distance.
    /// None counts where what is shown was at this side alone.
    mutating func find(
      in parts: ConnectedComponents, step: Int?, returnReach: Int, limbReach: Int, isCloseUp: Bool
    ) {
      let isOpen = isCloseUp || !wasShown
      var y = 0
      while y < parts.height {
        // Rows that follow each other are of the same person.
        let start = y
        var contact: Contact = []
        while isOpen, y < parts.height, isNewlyReached(y, by: parts) {
          if isFar(y, reach: returnReach, step: 0) { contact.insert(.own) }
          // A view follows the person: limbs reach its sides more often, and at other places.
          let reach = limit == Newcomers.margin ? limbReach : returnReach
          if let step, isFar(y, reach: reach, step: step) { contact.insert(.joined) }
          y += 1
        }
        for row in start..<y { contacts[row] = contact }
        if y < parts.height { contacts[y] = [] }
        y += 1
      }
    }

    /// Whether what is shown reached the side within a second.
    var wasShown: Bool { sinceShown.contains { $0 < Newcomers.patience } }

    private func isNewlyReached(_ y: Int, by parts: ConnectedComponents) -> Bool {
      var first = width
      forEachRun(y, of: parts) { run in
        first = fromHere(Int(run.first)..<Int(run.end)).lowerBound
        return false
      }
      return first <= limit && sinceShown[y] >= Newcomers.patience
    }

    /// Whether nothing that is shown was near a row of the side.
    private func isFar(_ y: Int, reach: Int, step: Int) -> Bool {
      for y in max(y - reach, 0)..<min(y + reach + 1, shown.count)
      where shown[y] <= limit + step || sinceShown[y] < Newcomers.patience {
        return false
      }
      return true
    }

    func forEachContact(_ parts: ConnectedComponents, _ body: (_ part: Int, Contact) -> Void) {
      for y in 0..<parts.height where !contacts[y].isEmpty {
        forEachRun(y, of: parts) { run in
          guard fromHere(Int(run.first)..<Int(run.end)).lowerBound <= limit else { return false }
          body(Int(run.component), contacts[y])
          return true
        }
      }
    }

    /// Notes that a newcomer is there.
    mutating func recordNewcomer() {
      if !hasNewcomer { (columns, rows) = (0..<0, 0..<0) }
      sinceNewcomer = 0
    }

    /// Whether a newcomer reaches the side with this part, which was shown before.
    func isJoined(_ part: ConnectedComponents.Component) -> Bool {
      fromHere(part.left..<part.right).lowerBound <= limit
        && contacts.contains { $0.contains(.joined) }
    }

    /// Notes a part of a newcomer.
    mutating func record(_ part: ConnectedComponents.Component) {
      recordNewcomer()
      let (columns, rows) = (fromHere(part.left..<part.right), part.top..<part.bottom)
      self.columns = Self.union(self.columns, columns)
      self.rows = Self.union(self.rows, rows)
    }

    private static func union(_ a: Range<Int>, _ b: Range<Int>) -> Range<Int> {
      a.isEmpty ? b : min(a.lowerBound, b.lowerBound)..<max(a.upperBound, b.upperBound)
    }

    /// Whether a part lies within so many samples of where a newcomer was.
    func isNear(_ part: ConnectedComponents.Component, reach: Int) -> Bool {
      let columns = fromHere(part.left..<part.right)
      return hasNewcomer && !self.columns.isEmpty
        && columns.lowerBound < self.columns.upperBound + reach
        && columns.upperBound > self.columns.lowerBound - reach
        && part.top < rows.upperBound + reach && part.bottom > rows.lowerBound - reach
    }

    /// Notes what is shown of a row, so many ticks after the last time.
    mutating func record(shown columns: Range<Int>, row y: Int, after ticks: Int) {
      shown[y] = columns.isEmpty ? Int.max : fromHere(columns).lowerBound
      let wasShown = sinceShown[y] < Newcomers.patience
      // Where a newcomer is, what is shown in error must not be taken for a limb.
      if shown[y] <= edge + Newcomers.margin, wasShown || !hasNewcomer {
        sinceShown[y] = 0
      } else {
        sinceShown[y] = min(sinceShown[y] + ticks, Newcomers.patience)
      }
    }
  }

  private var left: Side, right: Side
  private let nearness: Int, step: Int, returnReach: Int, limbReach: Int
  /// Whether nothing is known of what was shown.
  private var isFirst = true
  /// Ticks since the inference before.
  private var ticks = 1

  /// Allocates memory for mattes on `grid`.
  init(grid: MatteGrid) {
    left = Side(isRight: false, width: grid.width, height: grid.height)
    right = Side(isRight: true, width: grid.width, height: grid.height)
    nearness = Int(Self.nearness * Double(grid.width))
    step = Int(Self.step * Double(grid.width))
    returnReach = Int(Self.returnReach * Double(grid.height))
    limbReach = Int(Self.limbReach * Double(grid.height))
  }

  /// Whether a newcomer was at a side just now.
  var areKnown: Bool { left.hasNewcomer || right.hasNewcomer }

  /// Forgets what was at the sides.
  mutating func reset() {
    isFirst = true
    left.reset()
    right.reset()
  }

  /// Begins an inference, so many ticks after the last, whose network saw these columns of a matte.
  mutating func begin(seen columns: Range<Int>, after ticks: Int) {
    self.ticks = ticks
    left.begin(seen: columns, isFirst: isFirst, after: ticks)
    right.begin(seen: columns, isFirst: isFirst, after: ticks)
  }

  /// Finds the newcomers among the parts of a matte; calls `body` with each part with which they reach a
  /// side, once for each row.
  mutating func find(in parts: ConnectedComponents, _ body: (_ part: Int, Contact) -> Void) {
    // At first nobody is new.
    guard !isFirst else { return }
    let step = ticks <= Self.longestStep ? self.step * max(ticks, 1) : nil
    // Whoever is at one side alone may be coming in; in a close-up shoulders reach both.
    let isCloseUp = left.wasShown && right.wasShown
    left.find(
      in: parts, step: step, returnReach: returnReach, limbReach: limbReach,
      isCloseUp: isCloseUp)
    right.find(
      in: parts, step: step, returnReach: returnReach, limbReach: limbReach,
      isCloseUp: isCloseUp)
    left.forEachContact(parts, body)
    right.forEachContact(parts, body)
  }

  /// Notes a part that is a newcomer's alone.
  mutating func record(_ part: ConnectedComponents.Component) {
    if left.fromHere(part.left..<part.right).lowerBound <= left.limit { left.record(part) }
    if right.fromHere(part.left..<part.right).lowerBound <= right.limit { right.record(part) }
  }

  /// Notes that a newcomer has become one part with the one who is shown.
  mutating func recordContact(_ part: ConnectedComponents.Component) {
    if left.isJoined(part) { left.recordNewcomer() }
    if right.isJoined(part) { right.recordNewcomer() }
  }

  /// Whether a part that was not shown before lies where a newcomer was just now.
  func own(_ part: ConnectedComponents.Component) -> Bool {
    left.isNear(part, reach: nearness) || right.isNear(part, reach: nearness)
  }

  /// Whether a sample is where a newcomer reaches a side.
  func reachSide(_ column: Int, row y: Int) -> Bool {
    left.contacts[y].contains(.joined) && column <= left.limit
      || right.contacts[y].contains(.joined) && right.width - 1 - column <= right.limit
  }

  /// Notes the columns of a row within which something is shown of this inference.
  mutating func record(shown columns: Range<Int>, row y: Int) {
    isFirst = false
    left.record(shown: columns, row: y, after: ticks)
    right.record(shown: columns, row: y, after: ticks)
  }
}
