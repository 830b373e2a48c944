import PixelTypes

/// Decides which parts of a matte are people, and which people are shown.
///
/// A part is a connected component of the samples that are the person's rather than the room's.
/// What is dropped goes with the soft samples around it; what is kept is left as it is. A matte with
/// more parts than silhouettes have is noise and is left alone, or emptied where one person is to be
/// told from others.
///
/// Called once for each inference; time is given in the ticks of a `MatteClock`. Used on one thread at a
/// time. Allocates nothing after it is made.
final class Silhouettes {
  /// Alpha from which on a sample is of a part.
  ///
  /// Under one half, or a blurred hand falls to pieces; well over the haze that links what is wrong
  /// with the person.
  static let threshold: UInt8 = 96
  /// For so many ticks a newcomer who has become one part with the one who is shown is left out, while
  /// they reach a side.
  ///
  /// When the newcomer's face is seen before, the matte is divided by that.
  private static let longestJoint = MatteClock.ticks(seconds: 2)

  let grid: MatteGrid
  /// What was kept of the last matte.
  private(set) var kept = KeptSilhouette()

  /// Components of this inference and of the last, with what was decided of them.
  var now: ConnectedRuns, before: ConnectedRuns
  var parts: [Part], formerParts: [Part]
  let history: MatteHistory
  /// Whether there was an inference since the past was forgotten.
  private(set) var hasPast = false

  /// The area of the largest part.
  private(set) var largestArea = 0
  /// Ticks since the inference before.
  private(set) var ticks = 1

  private let ownership: MatteOwnership
  private var people = PeopleTracker()
  private var newcomers: Newcomers
  private var lastKeep = EffectSettings.Keep.everyone
  private var lastPerson: Int?
  /// Whether a newcomer has become one part with the one who is shown, and for how many ticks.
  private var hasJoined = false
  private var jointTicks = 0
  /// Whether people who have become one silhouette are shown together until they part.
  private var showsWhole = false

  /// What was decided of a component.
  struct Part {
    /// Whether it is a person or belongs to one, and whether it is shown.
    var isPerson = false, isShown = false
    /// Whether it is a person of its own, as opposed to a limb.
    var isStandalonePerson = false
    /// Whether it is of somebody who comes in at a side, while one person is to be shown.
    var isNewcomer = false
    /// Whether somebody who comes in at a side reaches it in this part.
    var hasNewcomer = false
    /// Its number among the bodies of the tracker.
    var body: Int?
    /// Ticks for which what comes of it is believed without a reason of its own.
    var credit = 0
    /// Ticks since it came, by descent.
    var age = 0
    /// Samples that were a person's at the last inference.
    var inherited = 0
    /// Samples that were shown at the last inference.
    var shownBefore = 0
    /// The means of the history.
    var past = MatteHistory.Means()
  }

  /// Allocates memory for mattes on `grid`.
  init(grid: MatteGrid) {
    self.grid = grid
    let (width, height) = (grid.width, grid.height)
    now = ConnectedRuns(width: width, height: height)
    before = ConnectedRuns(width: width, height: height)
    parts = Array(repeating: Part(), count: ConnectedRuns.mostComponents)
    // Not a copy of the other: that would be made when the first part is found.
    formerParts = Array(repeating: Part(), count: ConnectedRuns.mostComponents)
    history = MatteHistory(grid: grid, threshold: Self.threshold)
    ownership = MatteOwnership(grid: grid)
    newcomers = Newcomers(grid: grid)
  }

  /// Forgets what was remembered of earlier mattes: the next one is judged by itself.
  func forgetPast() {
    forgetParts()
    people.forgetPast()
    showsWhole = false
  }

  /// Goes on with the people that others know: with the one of them who is shown too.
  func takeOverPeople(from old: Silhouettes) {
    people = old.people.scaled(
      x: old.grid.stepX / grid.stepX, y: old.grid.stepY / grid.stepY)
    lastKeep = old.lastKeep
  }

  /// Forgets where the parts of earlier mattes lay, but not who is shown.
  private func forgetParts() {
    before.begin()
    now.begin()
    history.forgetPast()
    ownership.forgetPast()
    newcomers.reset()
    hasJoined = false
    hasPast = false
  }

  /// Drops from `matte`, in place, what is no person or not to be kept.
  ///
  /// So many ticks have passed since the matte before; the first one counts as a tick. The network saw
  /// `columns` of the matte. `isDivided` tells whether others were taken out of it by their faces, and
  /// `belongsToOther` which parts are no limbs of the one who is kept.
  func apply(
    to matte: Raster<UInt8>, keep: EffectSettings.Keep, after ticks: Int,
    seen columns: Range<Int>, isDivided: Bool,
    belongsToOther: (_ part: Int, _ parts: ConnectedRuns) -> Bool
  ) {
    self.ticks = ticks
    swap(&now, &before)
    swap(&parts, &formerParts)
    kept = KeptSilhouette()
    guard now.find(atLeast: Self.threshold, in: matte) else {
      forgetParts()
      guard keep == .everyone else {
        // The people cannot be told apart: none is shown rather than the wrong one.
        matte.fill(with: 0)
        return
      }
      kept.area = matte.width * matte.height
      (kept.right, kept.bottom) = (matte.width, matte.height)
      return
    }
    if keep != lastKeep {
      people.chooseAnew()
      newcomers.reset()
      ownership.forgetPast()
      hasJoined = false
      lastKeep = keep
    }
    now.measure(matte)
    largestArea = 0
    for i in 0..<now.count {
      parts[i] = Part()
      largestArea = max(largestArea, now[i].area)
    }
    inherit()
    if keep != .everyone { findNewcomers(in: columns) }
    judge()
    recognise()
    let parted = show(keep, isDivided: isDivided, belongsToOther)
    history.take(matte, after: ticks)
    hasPast = true
    drop(from: matte, parted: parted)
    if keep != .everyone { noteShown(parted: parted) }
  }

  /// Takes over what was known of the parts that lay where those of this inference lie.
  private func inherit() {
    now.forEachOverlap(with: before) { own, former, samples in
      let past = formerParts[former]
      parts[own].age = max(parts[own].age, past.age + ticks)
      if past.isShown { parts[own].shownBefore += samples }
      guard past.isPerson else { return }
      parts[own].inherited += samples
      parts[own].credit = max(parts[own].credit, past.credit)
    }
    for i in 0..<now.count {
      parts[i].past = history.means(of: i, in: now)
    }
  }

  /// Marks the parts of those who come in at a side that the network saw.
  private func findNewcomers(in columns: Range<Int>) {
    newcomers.begin(seen: columns, after: ticks)
    newcomers.find(in: now) { part, contact in
      if contact.contains(.own) { parts[part].isNewcomer = true }
      if contact.contains(.joined) { parts[part].hasNewcomer = true }
    }
    for i in 0..<now.count where parts[i].isNewcomer || parts[i].hasNewcomer {
      if wasShown(i) {
        parts[i].isNewcomer = false
        if parts[i].hasNewcomer { newcomers.noteJoint(now[i]) }
      } else {
        parts[i].hasNewcomer = false
        if parts[i].isNewcomer { newcomers.note(now[i]) }
      }
    }
    // What else is theirs is known when all that reaches a side is.
    for i in 0..<now.count where !parts[i].isNewcomer && !wasShown(i) {
      parts[i].isNewcomer = newcomers.own(now[i])
    }
  }

  /// Whether most of a part was shown at the last inference.
  private func wasShown(_ i: Int) -> Bool {
    2 * parts[i].shownBefore >= now[i].area
      && (!ownership.isFresh || 2 * ownership.kept(of: i, in: now).area >= now[i].area)
  }

  /// Tells the tracker of the bodies, the largest first.
  private func recognise() {
    people.begin(after: ticks)
    while let next = largestPerson(where: { $0.body == nil }) {
      let component = now[next]
      let body = PeopleTracker.Body(
        component: next, x: Double(component.left + component.right) / 2,
        y: Double(component.top + component.bottom) / 2, area: Double(component.area))
      guard let number = people.add(body) else { break }
      parts[next].body = number
    }
    now.forEachOverlap(with: before) { own, former, samples in
      guard let body = parts[own].body, let formerBody = formerParts[former].body else { return }
      people.overlap(body, formerBody, samples)
    }
    people.update()
  }

  private func largestPerson(where isWanted: (Part) -> Bool) -> Int? {
    var best: Int?
    for i in 0..<now.count where isBody(i) && isWanted(parts[i]) {
      if let other = best, now[other].area >= now[i].area { continue }
      best = i
    }
    return best
  }

  /// Marks what is to be seen; returns the body of one person among several, if that is shown.
  private func show(
    _ keep: EffectSettings.Keep, isDivided: Bool, _ belongsToOther: (Int, ConnectedRuns) -> Bool
  ) -> Int? {
    let joinedBefore = hasJoined
    hasJoined = false
    guard keep != .everyone else {
      for i in 0..<now.count { parts[i].isShown = parts[i].isPerson }
      return nil
    }
    let person = people.choose(keep)
    if person != lastPerson {
      // The samples of one are not those of another.
      ownership.forgetPast()
      newcomers.reset()
      lastPerson = person
    }
    guard let person, let body = people.body(of: person) else { return nil }
    let component = people.bodies[body].component
    let reach = reach
    for i in 0..<now.count where parts[i].isPerson {
      // A limb belongs to the nearest person.
      parts[i].isShown =
        i == component
        || parts[i].body == nil && !parts[i].isNewcomer
          && now.distance(from: i, within: reach, where: { $0 == component }) != nil
          && !belongsToOther(i, now)
    }
    let isMerged = people.headCount(body) > 1
    if !isMerged {
      showsWhole = false
    } else if !ownership.isFresh || people.hidesSomeone(body) {
      showsWhole = true
    }
    if isMerged, !showsWhole { return component }
    jointTicks = joinedBefore ? jointTicks + ticks : 0
    // Without anybody at a side nobody is hidden for longer.
    guard !isDivided, newcomers.areKnown else { return nil }
    let begins = !joinedBefore && parts[component].hasNewcomer
    if begins, !ownership.isFresh { ownership.recall(before) }
    let keptArea = ownership.isFresh ? ownership.kept(of: component, in: now).area : 0
    let isPartlyDropped = keptArea > 0 && keptArea < now[component].area
    hasJoined = begins || joinedBefore && isPartlyDropped && jointTicks < Self.longestJoint
    return hasJoined ? component : nil
  }

  /// Empties what is not shown; of the component `parted`, what was not shown before.
  private func drop(from matte: Raster<UInt8>, parted: Int?) {
    for i in 0..<now.count where i != parted {
      if parts[i].isShown { kept.add(now[i]) } else { kept.dropped += 1 }
    }
    guard kept.dropped > 0 || parted != nil else {
      ownership.forgetPast()
      return
    }
    ownership.give(
      now,
      isDropped: { [newcomers, hasJoined] in hasJoined && newcomers.reachSide($0, row: $1) }
    ) { component in
      if component == parted { return nil }
      return parts[component].isShown ? .kept : .dropped
    }
    // During a joint what is nobody's for sure is hidden.
    ownership.clear(
      matte, components: now, droppingFrom: hasJoined ? Self.threshold : nil)
    if let parted { kept.add(ownership.kept(of: parted, in: now)) }
  }

  /// Tells what is shown of each row.
  private func noteShown(parted: Int?) {
    for y in 0..<grid.height {
      var columns = 0..<0
      for i in now.runs(inRow: y) {
        let run = now.run(i)
        let component = Int(run.component)
        guard parts[component].isShown else { continue }
        let own =
          component == parted
          ? ownership.kept(of: run, row: y) : Int(run.first)..<Int(run.end)
        guard !own.isEmpty else { continue }
        columns = columns.isEmpty ? own : columns.lowerBound..<own.upperBound
      }
      newcomers.note(shown: columns, row: y)
    }
  }
}
