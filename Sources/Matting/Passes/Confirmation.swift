import PixelTypes

/// Confirms that the components of a matte are people, and clears the others.
///
/// In a room without people, a network turns to salient objects, such as plants and sofas. Networks
/// with other training data rarely mistake the same object for a person when they see it from near.
/// So a component is shown only after other networks, the witnesses, have found a person in it. A
/// component that overlaps a confirmed one continues it, and stays confirmed until all witnesses
/// deny it. Parts of a person need no witnesses.
///
/// Time is in `MatteClock` ticks. Allocates memory only when it is created. Not thread-safe.
final class Confirmation {
  /// Returns whether the witnesses find a person in a component.
  ///
  /// If `isKnown` is false, all of them must find one, otherwise one is enough.
  typealias Question = (
    _ components: ConnectedComponents, _ component: Int, _ isKnown: Bool
  ) throws(SegmentationError) -> Bool

  /// The time after which a person must be confirmed again, because they may have left.
  private static let maxTime = MatteClock.ticks(seconds: 1)
  /// The minimum time between two questions about a person if the picture changes.
  private static let minTime = MatteClock.ticks(seconds: 0.1)
  /// The mean change of luma since the last matte above which a person may have left, in code
  /// values.
  private static let maxChange = 12
  /// The minimum share of the frame for a component that is not a part of a person.
  private static let minShare = 0.001
  /// At least 1 / `continuedShare` of a component must overlap a confirmed one to continue it.
  private static let continuedShare = 8
  /// A component with less than 1 / `shrunkShare` of a confirmed one's area does not continue it.
  private static let shrunkShare = 4
  /// The maximum number of questions per matte: each costs one or two inferences.
  private static let maxQuestions = 4

  private let grid: MatteGrid
  /// The components of this matte and of the previous one.
  private var components: ConnectedComponents, formerComponents: ConnectedComponents
  /// The knowledge about `components` and `formerComponents`.
  private var records: [Record], formerRecords: [Record]
  private let owners: OwnershipMap
  private var questions = 0

  private struct Record {
    /// Whether the component is a person or a part of one.
    var isConfirmed = false
    /// Ticks since the last question about the component, and between the last two questions.
    var ticks = 0, wait = 0
    /// Whether all witnesses denied a confirmed person at the last question.
    var isDenied = false
    /// The area at the last question, in samples.
    var area = 0
    /// The number of samples that belonged to a confirmed component.
    var continued = 0
  }

  init(grid: MatteGrid) {
    self.grid = grid
    components = ConnectedComponents(width: grid.width, height: grid.height)
    formerComponents = ConnectedComponents(width: grid.width, height: grid.height)
    records = Array(repeating: Record(), count: ConnectedComponents.maxCount)
    // A copy of `records` would share its memory, and be allocated only at the first write.
    formerRecords = Array(repeating: Record(), count: ConnectedComponents.maxCount)
    owners = OwnershipMap(grid: grid)
  }

  /// Discards the people of earlier mattes.
  func reset() {
    components.begin()
    formerComponents.begin()
  }

  /// Clears the components of `matte` that are not confirmed.
  ///
  /// `luma` is the picture of the matte, and `former` the picture of the previous matte, `ticks`
  /// earlier. Returns whether a person has left.
  func apply(
    to matte: Raster<UInt8>, luma: Plane, former: Plane, after ticks: Int, asking question: Question
  ) throws(SegmentationError) -> Bool {
    swap(&components, &formerComponents)
    swap(&records, &formerRecords)
    guard components.find(atLeast: ComponentFilter.threshold, in: matte) else {
      // Noise is not changed.
      reset()
      return false
    }
    inherit(after: ticks)
    questions = 0
    let hasLeft = try confirmAgain(luma, former, question)
    try confirmOthers(question)
    clear(matte)
    return hasLeft
  }

  /// Copies the knowledge about the components that these components continue.
  private func inherit(after ticks: Int) {
    for i in 0..<components.count { records[i] = Record() }
    components.forEachOverlap(with: formerComponents) { own, former, samples in
      let past = formerRecords[former]
      // When a person vanishes, an object behind them can become visible.
      let isRest = Self.shrunkShare * components[own].area < formerComponents[former].area
      if past.isConfirmed, !isRest { records[own].continued += samples }
      guard past.wait >= records[own].wait else { return }
      (records[own].wait, records[own].area) = (past.wait, past.area)
      records[own].isDenied = past.isDenied
      records[own].ticks = past.ticks + ticks
    }
    for i in 0..<components.count {
      records[i].isConfirmed =
        records[i].continued > 0
        && Self.continuedShare * records[i].continued >= components[i].area
    }
  }

  /// Asks about the confirmed people who may have left, and returns whether one has.
  private func confirmAgain(
    _ luma: Plane, _ former: Plane, _ question: Question
  ) throws(SegmentationError) -> Bool {
    let largest = components.largestArea { self.records[$0].isConfirmed }
    var hasLeft = false
    func isBody(_ i: Int) -> Bool { components.isBody(i, largestArea: largest) }
    for i in 0..<components.count where records[i].isConfirmed && isBody(i) {
      let isDue =
        records[i].ticks >= Self.maxTime
        || records[i].ticks >= Self.minTime
          && (records[i].isDenied || change(in: i, luma, former) > Self.maxChange)
      if isDue, try !ask(about: i, question) { hasLeft = true }
    }
    if hasLeft {
      // The parts of a person leave with the person.
      for i in 0..<components.count where !isBody(i) { records[i].isConfirmed = false }
    }
    return hasLeft
  }

  /// Asks about the components that are not confirmed and are not parts of people.
  private func confirmOthers(_ question: Question) throws(SegmentationError) {
    let minArea = Int(Self.minShare * Double(grid.width * grid.height))
    let largest = components.largestArea()
    for isBody in [true, false] {
      let largestPerson = components.largestArea { self.records[$0].isConfirmed }
      let reach = ComponentFilter.reach(ofArea: largestPerson)
      for i in 0..<components.count
      where !records[i].isConfirmed && components.isBody(i, largestArea: largest) == isBody {
        if !isBody,
          components.distance(from: i, within: reach, where: { records[$0].isConfirmed }) != nil
        {
          records[i].isConfirmed = true
        } else if components[i].area >= minArea, mustAsk(about: i) {
          _ = try ask(about: i, question)
        }
      }
    }
  }

  /// Returns whether to ask about a component that is not confirmed.
  ///
  /// A person who comes into the picture grows, and is asked about at once.
  private func mustAsk(about i: Int) -> Bool {
    records[i].ticks >= records[i].wait || 2 * components[i].area > 3 * records[i].area
  }

  /// Asks about a component and returns whether it is a person.
  ///
  /// Returns the earlier answer if there were too many questions about this matte. A confirmed
  /// person must be denied twice, because motion can blur the picture.
  private func ask(about i: Int, _ question: Question) throws(SegmentationError) -> Bool {
    guard questions < Self.maxQuestions else { return records[i].isConfirmed }
    questions += 1
    let wasConfirmed = records[i].isConfirmed
    let isSeen = try question(components, i, wasConfirmed)
    records[i].isConfirmed = isSeen || wasConfirmed && !records[i].isDenied
    records[i].isDenied = wasConfirmed && !isSeen
    // The witnesses rarely change their mind about an object.
    records[i].wait = records[i].isConfirmed ? 0 : min(max(2 * records[i].wait, 1), Self.maxTime)
    (records[i].ticks, records[i].area) = (0, components[i].area)
    return records[i].isConfirmed
  }

  /// Returns the mean change of luma in a component, in code values.
  private func change(in i: Int, _ luma: Plane, _ former: Plane) -> Int {
    var sum = 0
    components.forEachRun(of: i) { y, columns in
      let (row, past) = unsafe (luma.row(y), former.row(y))
      for x in columns { unsafe sum &+= abs(Int(row[x]) &- Int(past[x])) }
    }
    return sum / max(components[i].area, 1)
  }

  private func clear(_ matte: Raster<UInt8>) {
    guard (0..<components.count).contains(where: { records[$0].isConfirmed }) else {
      // Faint samples are not people either.
      matte.fill(with: 0)
      return
    }
    guard (0..<components.count).contains(where: { !records[$0].isConfirmed }) else { return }
    owners.assign(components) { records[$0].isConfirmed ? .kept : .dropped }
    owners.clear(matte, components: components, droppingFrom: nil)
  }
}
