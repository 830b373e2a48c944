import Matting
import PixelTypes

/// Keeps one of several people in each matte.
///
/// The steps of a matte:
///
/// 1. The face finder returns the faces of the frame.
/// 2. `PersonTracker` matches the components of the matte and the faces with the known people.
/// 3. `KeepPolicy` chooses the person to show.
/// 4. If others with faces touch this person, `DepthOrder` decides who is in front, and
///    `OcclusionSplitter` removes the samples of the others.
/// 5. `ComponentFilter` judges the components that are left. Those of the person stay.
package final class OnePersonSelector: PersonSelector {
  /// The finder of the faces that separate touching people, or nil to show them together.
  package var faces: (any FaceFinder)?

  /// The maximum time for which a newcomer at a side is hidden while touching the shown person.
  ///
  /// If the newcomer's face is detected earlier, the matte is divided by the faces.
  private static let maxContactTime = MatteClock.ticks(seconds: 2)

  private let grid: MatteGrid
  private var tracker: PersonTracker
  private var policy = KeepPolicy()
  private let splitter: OcclusionSplitter
  /// The colours of the tracked person.
  private var colors = PersonColors()
  private var newcomers: Newcomers
  /// Whether a newcomer touches the shown person, and for how many ticks.
  private var hasContact = false
  private var contactTicks = 0
  /// Whether people merged into one component are shown together until they part.
  private var showsWhole = false
  /// The component of the undivided matte that contains each component.
  private var origins: [Int?]
  /// Whether a newcomer at a side touches a component that was shown, per component.
  private var hasNewcomer: [Bool]

  package init(grid: MatteGrid, faces: (any FaceFinder)?) {
    (self.grid, self.faces) = (grid, faces)
    tracker = PersonTracker(grid: grid)
    splitter = OcclusionSplitter(grid: grid)
    newcomers = Newcomers(grid: grid)
    origins = Array(repeating: nil, count: ConnectedComponents.maxCount)
    hasNewcomer = Array(repeating: false, count: ConnectedComponents.maxCount)
  }

  package func reset() {
    faces?.reset()
    tracker.reset()
    policy.reset(recognizes: colors.areKnown)
    splitter.reset()
    newcomers.reset()
    hasContact = false
    showsWhole = false
  }

  /// Continues with the people of another selector, for a matte on another grid.
  package func adoptPeople(of old: OnePersonSelector) {
    tracker.adoptPeople(of: old.tracker)
    policy = old.policy
    colors = old.colors
  }

  package func select(
    in matte: Matte, of context: MatteContext, with filter: ComponentFilter
  ) throws(SegmentationError) {
    let seen =
      try faces?.find(
        in: context.frame, format: context.format, at: context.input.time,
        isShown: { matte.shows(column: $0, row: $1) }) ?? []
    select(in: matte.samples, of: context, faces: seen, with: filter)
  }

  /// Keeps one person in a matte with the given faces.
  package func select(
    in matte: Raster<UInt8>, of context: MatteContext, faces: [Face],
    with filter: ComponentFilter
  ) {
    let (keep, ticks) = (context.input.settings.keep, context.ticks)
    let before = policy.kept
    guard tracker.update(matte, faces: faces, keeping: policy.kept, after: ticks) else {
      hideEveryone(in: matte, filter)
      return
    }
    if keep != .tracked { colors.reset() }
    if policy.isRecognizing { tracker.compareColors(with: colors, in: context.input.picture) }
    let kept = policy.choose(from: tracker.people, keep: keep, after: ticks)
    if policy.kept != before {
      // The samples of one person are not another's.
      tracker.forgetDepth()
      filter.ownership.reset()
      newcomers.reset()
      hasContact = false
    }
    if let kept {
      tracker.judgeDepth(of: kept)
      splitter.split(matte, picture: context.input.picture, keeping: kept, of: tracker)
    }
    guard filter.find(in: matte, after: ticks) else {
      hideEveryone(in: matte, filter)
      return
    }
    findNewcomers(in: context.seenColumns, filter)
    filter.judge()
    let partlyShown = kept.flatMap { show($0, filter) }
    filter.finish(matte, partlyShown: partlyShown, excludesNeighbours: hasContact) {
      [newcomers, hasContact] x, y in hasContact && newcomers.reachSide(x, row: y)
    }
    recordShown(filter, partlyShown: partlyShown)
    if keep == .tracked, !policy.isRecognizing, let kept, !tracker.isMerged(kept) {
      colors.learn(matte, context.input.picture, after: ticks)
    }
  }

  /// Hides everyone rather than show the wrong person in a matte of too many components.
  private func hideEveryone(in matte: Raster<UInt8>, _ filter: ComponentFilter) {
    filter.reset()
    splitter.reset()
    newcomers.reset()
    hasContact = false
    matte.fill(with: 0)
  }

  /// Marks the components of newcomers at a side that the network saw.
  private func findNewcomers(in columns: Range<Int>, _ filter: ComponentFilter) {
    let components = filter.components
    for i in 0..<components.count { hasNewcomer[i] = false }
    newcomers.begin(seen: columns, after: filter.ticks)
    newcomers.find(in: components) { component, contact in
      if contact.contains(.own) { filter.verdicts[component].isExcluded = true }
      if contact.contains(.joined) { hasNewcomer[component] = true }
    }
    for i in 0..<components.count where filter.verdicts[i].isExcluded || hasNewcomer[i] {
      if wasShown(i, filter) {
        filter.verdicts[i].isExcluded = false
        if hasNewcomer[i] { newcomers.recordContact(components[i]) }
      } else {
        hasNewcomer[i] = false
        if filter.verdicts[i].isExcluded { newcomers.record(components[i]) }
      }
    }
    // Find the other components of newcomers after all components that reach a side are known.
    for i in 0..<components.count
    where !filter.verdicts[i].isExcluded && !wasShown(i, filter) {
      filter.verdicts[i].isExcluded = newcomers.owns(components[i])
    }
  }

  /// Whether most of a component was shown in the last matte.
  private func wasShown(_ i: Int, _ filter: ComponentFilter) -> Bool {
    let (components, ownership) = (filter.components, filter.ownership)
    return 2 * filter.verdicts[i].shownBefore >= components[i].area
      && (!ownership.isFresh || 2 * ownership.keptArea(of: i, in: components) >= components[i].area)
  }

  /// Marks the components of the kept person, and returns the component that is only partly shown.
  private func show(_ kept: Int, _ filter: ComponentFilter) -> Int? {
    let (components, ownership) = (filter.components, filter.ownership)
    let hadContact = hasContact
    hasContact = false
    let person = tracker.people[kept]
    guard let body = person.body, let main = mainComponent(of: person, in: body, filter) else {
      return nil
    }
    filter.verdicts[main].isPerson = true
    let reach = filter.reach
    for i in 0..<components.count where filter.verdicts[i].isPerson {
      // A limb belongs to the nearest person.
      filter.verdicts[i].isShown =
        i == main
        || !filter.verdicts[i].isBody && !filter.verdicts[i].isExcluded && !isOthers(i, body)
          && components.distance(from: i, within: reach, where: { $0 == main }) != nil
    }
    let isMerged = tracker.isMerged(kept)
    if !isMerged {
      showsWhole = false
    } else if !ownership.isFresh || tracker.hasOccluder(body) {
      showsWhole = true
    }
    if isMerged, !showsWhole { return main }
    contactTicks = hadContact ? contactTicks + filter.ticks : 0
    // Without a newcomer at a side there is nothing to exclude.
    guard !splitter.isDividing, newcomers.areKnown else { return nil }
    let begins = !hadContact && hasNewcomer[main]
    if begins, !ownership.isFresh { ownership.recall(filter.formerComponents) }
    let keptArea = ownership.isFresh ? ownership.keptArea(of: main, in: components) : 0
    let isPartlyDropped = keptArea > 0 && keptArea < components[main].area
    hasContact = begins || hadContact && isPartlyDropped && contactTicks < Self.maxContactTime
    return hasContact ? main : nil
  }

  /// Returns the component at a person's face, or the largest one that is left of the body.
  private func mainComponent(of person: Person, in body: Int, _ filter: ComponentFilter) -> Int? {
    let components = filter.components
    for i in 0..<components.count { origins[i] = nil }
    components.forEachOverlap(with: tracker.bodies.components) { own, origin, _ in
      origins[own] = origin
    }
    if let face = person.face, face.isCurrent,
      let atFace = components.component(at: face.position),
      origins[atFace] == tracker.bodies.all[body].component
    {
      return atFace
    }
    func area(_ i: Int) -> Int {
      origins[i] == tracker.bodies.all[body].component ? components[i].area : 0
    }
    return (0..<components.count).max { area($0) < area($1) }
      .flatMap { area($0) > 0 ? $0 : nil }
  }

  /// Whether a component belongs to another body.
  private func isOthers(_ i: Int, _ body: Int) -> Bool {
    origins[i].flatMap { tracker.bodies.number(ofComponent: $0) }.map { $0 != body } ?? false
  }

  /// Records the shown columns of each row for the next search for newcomers.
  private func recordShown(_ filter: ComponentFilter, partlyShown: Int?) {
    for y in 0..<grid.height {
      var columns = 0..<0
      for i in filter.components.runs(inRow: y) {
        let run = filter.components.run(i)
        guard filter.verdicts[run.component].isShown else { continue }
        let own =
          run.component == partlyShown
          ? filter.ownership.kept(of: run.columns, row: y) : run.columns
        guard !own.isEmpty else { continue }
        columns = columns.isEmpty ? own : columns.lowerBound..<own.upperBound
      }
      newcomers.record(shown: columns, row: y)
    }
  }
}
