import Matting
import PixelTypes

/// Distinguishes newcomers at the left or right side of a matte from limbs of the shown person.
///
/// A hand enters at a side too, but its arm or body was near that side shortly before.
///
/// Times are in ticks of a `MatteClock`. Allocates only in `init`.
struct Newcomers {
  /// How long after an arm reached a side a hand may return there.
  private static let returnTime = MatteClock.ticks(seconds: 1)
  /// How long new parts near a newcomer still belong to the newcomer.
  ///
  /// At first a network finds only small parts of a person, and different ones in each frame. After
  /// this time without an inference a limb may have moved anywhere.
  private static let holdTime = MatteClock.ticks(seconds: 0.3)
  /// How far a limb may approach a side per tick, and the maximum distance between a newcomer and
  /// their other parts, as a share of the matte's width.
  private static let step = 0.05
  /// How far from the rows of an arm a hand may return, as a share of the matte's height.
  private static let returnReach = 0.25
  /// How far from its last rows a limb may reach a side, as a share of the matte's height.
  private static let limbReach = 0.1
  /// Maximum gap, in samples, between a side and a part that reaches it.
  private static let margin = 2

  /// How parts reach a side.
  struct Contact: OptionSet {
    let rawValue: UInt8
    /// If the part was not shown before, it belongs to a newcomer.
    static let own = Contact(rawValue: 1)
    /// If the part was shown before, a newcomer has merged with it.
    static let joined = Contact(rawValue: 2)
  }

  /// The state of one side, with columns counted from that side.
  private struct Side {
    let isRight: Bool, width: Int
    /// The first column that the network sees, now and in the previous inference.
    var edge = 0, formerEdge = 0
    /// Ticks since the shown person reached the side, per row.
    var sinceShown: [Int]
    /// The first column that was shown last, per row, and `Int.max` for an empty row.
    var shown: [Int]
    /// Contacts of newcomers with the side, per row.
    var contacts: [Contact]
    /// Ticks since a newcomer reached the side, and the newcomer's box at that time.
    var sinceNewcomer = Newcomers.holdTime
    var box: PixelRegion?

    init(isRight: Bool, width: Int, height: Int) {
      (self.isRight, self.width) = (isRight, width)
      sinceShown = Array(repeating: Newcomers.returnTime, count: height)
      shown = Array(repeating: Int.max, count: height)
      contacts = Array(repeating: [], count: height)
    }

    var hasNewcomer: Bool { sinceNewcomer < Newcomers.holdTime }
    /// The greatest distance from the side, in columns, of a part that reaches the side.
    ///
    /// It includes columns that the network did not see in the previous inference.
    var limit: Int { max(edge, formerEdge) + Newcomers.margin }

    mutating func reset() {
      for y in sinceShown.indices {
        (sinceShown[y], shown[y], contacts[y]) = (Newcomers.returnTime, Int.max, [])
      }
      (sinceNewcomer, box) = (Newcomers.holdTime, nil)
    }

    mutating func begin(seen columns: Range<Int>, isFirst: Bool, after ticks: Int) {
      let edge = fromHere(columns).lowerBound
      (self.edge, formerEdge) = (edge, isFirst ? edge : self.edge)
      sinceNewcomer = min(sinceNewcomer + ticks, Newcomers.holdTime)
    }

    /// Converts columns of the matte to columns counted from this side.
    func fromHere(_ columns: Range<Int>) -> Range<Int> {
      isRight ? width - columns.upperBound..<width - columns.lowerBound : columns
    }

    /// Whether columns of the matte reach this side.
    func isReached(_ columns: Range<Int>) -> Bool { fromHere(columns).lowerBound <= limit }

    /// Finds the rows in which a part reaches the side, far from the shown person.
    ///
    /// `step` is the maximum distance that a limb can have moved towards the side since the last
    /// inference, and nil if it is unlimited. No row counts if the shown person reached this side
    /// but not the other.
    mutating func find(
      in parts: ConnectedComponents, step: Int?, returnReach: Int, limbReach: Int, isCloseUp: Bool
    ) {
      let isOpen = isCloseUp || !wasShown
      var y = 0
      while y < parts.height {
        // Consecutive rows belong to the same person.
        let start = y
        var contact: Contact = []
        while isOpen, y < parts.height, isNewlyReached(y, by: parts) {
          if isFar(y, reach: returnReach, step: 0) { contact.insert(.own) }
          // A crop follows the person, so limbs reach its sides more often and at other places.
          let reach = limit == Newcomers.margin ? limbReach : returnReach
          if let step, isFar(y, reach: reach, step: step) { contact.insert(.joined) }
          y += 1
        }
        for row in start..<y { contacts[row] = contact }
        if y < parts.height { contacts[y] = [] }
        y += 1
      }
    }

    /// Whether the shown person reached the side within `returnTime`.
    var wasShown: Bool { sinceShown.contains { $0 < Newcomers.returnTime } }

    private func isNewlyReached(_ y: Int, by parts: ConnectedComponents) -> Bool {
      sinceShown[y] >= Newcomers.returnTime
        && parts.runs(inRow: y).contains { isReached(parts.run($0).columns) }
    }

    /// Whether the shown person was not near this row of the side.
    private func isFar(_ y: Int, reach: Int, step: Int) -> Bool {
      for y in max(y - reach, 0)..<min(y + reach + 1, shown.count)
      where shown[y] <= limit + step || sinceShown[y] < Newcomers.returnTime {
        return false
      }
      return true
    }

    func forEachContact(_ parts: ConnectedComponents, _ body: (_ part: Int, Contact) -> Void) {
      for y in 0..<parts.height where !contacts[y].isEmpty {
        for i in parts.runs(inRow: y) where isReached(parts.run(i).columns) {
          body(parts.run(i).component, contacts[y])
        }
      }
    }

    /// Records that a newcomer is present.
    mutating func recordNewcomer() {
      if !hasNewcomer { box = nil }
      sinceNewcomer = 0
    }

    /// Whether a newcomer reaches the side in this part, which was shown before.
    func isJoined(_ part: ConnectedComponents.Component) -> Bool {
      isReached(part.left..<part.right) && contacts.contains { $0.contains(.joined) }
    }

    /// Records a part of a newcomer.
    mutating func record(_ part: ConnectedComponents.Component) {
      recordNewcomer()
      box = box?.union(box(of: part)) ?? box(of: part)
    }

    private func box(of part: ConnectedComponents.Component) -> PixelRegion {
      let columns = fromHere(part.left..<part.right)
      return PixelRegion(
        x: columns.lowerBound, y: part.top, width: columns.count, height: part.bottom - part.top)
    }

    /// Whether a part is within `reach` samples of the newcomer's last box.
    func isNear(_ part: ConnectedComponents.Component, reach: Int) -> Bool {
      guard hasNewcomer, let box else { return false }
      let near = PixelRegion(
        x: box.x - reach, y: box.y - reach, width: box.width + 2 * reach,
        height: box.height + 2 * reach)
      return near.overlaps(self.box(of: part))
    }

    /// Records the shown columns of a row, `ticks` after the previous inference.
    mutating func record(shown columns: Range<Int>, row y: Int, after ticks: Int) {
      shown[y] = columns.isEmpty ? Int.max : fromHere(columns).lowerBound
      let wasShown = sinceShown[y] < Newcomers.returnTime
      // While a newcomer is present, a wrongly shown part must not count as a limb.
      if shown[y] <= edge + Newcomers.margin, wasShown || !hasNewcomer {
        sinceShown[y] = 0
      } else {
        sinceShown[y] = min(sinceShown[y] + ticks, Newcomers.returnTime)
      }
    }
  }

  /// The left and the right side.
  private var sides: [Side]
  private let step: Int, returnReach: Int, limbReach: Int
  /// Whether no inference has been recorded yet.
  private var isFirst = true
  /// Ticks since the previous inference.
  private var ticks = 1

  init(grid: MatteGrid) {
    sides = [false, true].map { Side(isRight: $0, width: grid.width, height: grid.height) }
    step = Int(Self.step * Double(grid.width))
    returnReach = Int(Self.returnReach * Double(grid.height))
    limbReach = Int(Self.limbReach * Double(grid.height))
  }

  /// Whether a newcomer was at a side recently.
  var areKnown: Bool { sides.contains { $0.hasNewcomer } }

  mutating func reset() {
    isFirst = true
    for i in sides.indices { sides[i].reset() }
  }

  /// Begins an inference with a network that saw `columns`, `ticks` after the previous one.
  mutating func begin(seen columns: Range<Int>, after ticks: Int) {
    self.ticks = ticks
    for i in sides.indices { sides[i].begin(seen: columns, isFirst: isFirst, after: ticks) }
  }

  /// Finds the newcomers among the parts of a matte.
  ///
  /// Calls `body` for each part in which a newcomer reaches a side, once per row.
  mutating func find(in parts: ConnectedComponents, _ body: (_ part: Int, Contact) -> Void) {
    // Without an earlier inference no part is new.
    guard !isFirst else { return }
    let step = ticks <= Self.holdTime ? self.step * max(ticks, 1) : nil
    // A person at only one side may be entering. In a close-up the shoulders reach both sides.
    let isCloseUp = sides.allSatisfy { $0.wasShown }
    for i in sides.indices {
      sides[i].find(
        in: parts, step: step, returnReach: returnReach, limbReach: limbReach,
        isCloseUp: isCloseUp)
    }
    for i in sides.indices { sides[i].forEachContact(parts, body) }
  }

  /// Records a part that belongs to a newcomer alone.
  mutating func record(_ part: ConnectedComponents.Component) {
    for i in sides.indices where sides[i].isReached(part.left..<part.right) {
      sides[i].record(part)
    }
  }

  /// Records that a newcomer has merged with the shown person.
  mutating func recordContact(_ part: ConnectedComponents.Component) {
    for i in sides.indices where sides[i].isJoined(part) { sides[i].recordNewcomer() }
  }

  /// Whether a part that was not shown before is near a recent newcomer.
  func owns(_ part: ConnectedComponents.Component) -> Bool {
    sides.contains { $0.isNear(part, reach: step) }
  }

  /// Whether a newcomer reaches a side at this sample.
  func reachSide(_ column: Int, row y: Int) -> Bool {
    sides.contains { $0.contacts[y].contains(.joined) && $0.isReached(column..<column + 1) }
  }

  /// Records the range of columns that is shown in a row of this inference.
  mutating func record(shown columns: Range<Int>, row y: Int) {
    isFirst = false
    for i in sides.indices { sides[i].record(shown: columns, row: y, after: ticks) }
  }
}
