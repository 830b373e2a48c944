import InferenceTypes
import Matting
import PixelTypes

/// Keeps one of several people in each matte.
///
/// Faces separate touching people. After that a tracker follows the components that are people and
/// chooses one of them.
package final class OnePersonSelector: PersonSelector {
  /// The finder of the faces that separate touching people, or nil to show them together.
  ///
  /// Face IDs are not comparable between finders, so a change forgets the people.
  package var faces: (any FaceFinder)? {
    didSet {
      if oldValue !== faces { splitter.reset() }
    }
  }

  /// How long a newcomer who touches the shown person is left out at a side, at most.
  ///
  /// If the newcomer's face is detected earlier, the matte is divided by the faces.
  private static let maxContactTime = MatteClock.ticks(seconds: 2)

  private let grid: MatteGrid
  private let splitter: OcclusionSplitter
  private var people = PeopleTracker()
  private var newcomers: Newcomers
  private var lastKeep: MatteSettings.Keep?
  private var lastPerson: Int?
  /// Whether a newcomer touches the shown person, and for how many ticks.
  private var hasContact = false
  private var contactTicks = 0
  /// Whether people merged into one component are shown together until they part.
  private var showsWhole = false
  /// The tracker's body of each component, in this matte and in the previous one.
  private var bodies: [Int?], formerBodies: [Int?]
  /// Whether a newcomer at a side touches a component that was shown, per component.
  private var hasNewcomer: [Bool]

  /// Allocates memory for mattes on `grid`.
  package init(grid: MatteGrid, faces: (any FaceFinder)?) {
    self.grid = grid
    self.faces = faces
    splitter = OcclusionSplitter(grid: grid)
    newcomers = Newcomers(grid: grid)
    bodies = Array(repeating: nil, count: ConnectedComponents.maxCount)
    // Not a copy of `bodies`: the first write to it would allocate.
    formerBodies = Array(repeating: nil, count: ConnectedComponents.maxCount)
    hasNewcomer = Array(repeating: false, count: ConnectedComponents.maxCount)
  }

  package func reset() {
    newcomers.reset()
    hasContact = false
    people.reset()
    showsWhole = false
    splitter.reset()
    faces?.reset()
  }

  /// Continues with the people of another selector, for a matte on another grid.
  package func adoptPeople(of old: OnePersonSelector) {
    people = old.people.scaled(
      x: old.grid.stepX / grid.stepX, y: old.grid.stepY / grid.stepY)
    lastKeep = old.lastKeep
    splitter.adoptPeople(of: old.splitter)
  }

  package func select(
    in matte: Matte, of context: MatteContext, with filter: ComponentFilter
  ) throws(SegmentationError) {
    if let faces {
      let seen = try faces.find(
        in: context.frame, format: context.format, at: context.time,
        isShown: { matte.shows(column: $0, row: $1) })
      splitter.apply(
        to: matte.samples, picture: context.picture, faces: seen, keep: context.settings.keep,
        after: context.ticks)
    }
    selectPerson(
      in: matte.samples, keep: context.settings.keep, after: context.ticks,
      seen: context.seenColumns, with: filter)
  }

  /// Keeps the components of one person in a matte that the faces have already divided.
  package func selectPerson(
    in matte: Raster<UInt8>, keep: MatteSettings.Keep, after ticks: Int,
    seen seenColumns: Range<Int>, with filter: ComponentFilter
  ) {
    swap(&bodies, &formerBodies)
    guard filter.find(in: matte, after: ticks) else {
      newcomers.reset()
      hasContact = false
      // The people cannot be separated: hide everyone rather than show the wrong person.
      matte.fill(with: 0)
      return
    }
    if keep != lastKeep {
      people.clearChoice()
      newcomers.reset()
      filter.ownership.reset()
      hasContact = false
      lastKeep = keep
    }
    findNewcomers(in: seenColumns, filter)
    filter.judge()
    updatePeople(filter)
    let partlyShown = showChosen(keep, filter)
    filter.finish(matte, partlyShown: partlyShown, excludesNeighbours: hasContact) {
      [newcomers, hasContact] x, y in hasContact && newcomers.reachSide(x, row: y)
    }
    recordShown(filter, partlyShown: partlyShown)
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
      && (!ownership.isFresh
        || 2 * ownership.kept(of: i, in: components).area >= components[i].area)
  }

  /// Adds the bodies to the tracker, the largest first.
  private func updatePeople(_ filter: ComponentFilter) {
    let components = filter.components
    for i in 0..<components.count { bodies[i] = nil }
    people.begin(after: filter.ticks)
    while let next = largestBody(filter) {
      let component = components[next]
      let body = PeopleTracker.Body(
        component: next, x: Double(component.left + component.right) / 2,
        y: Double(component.top + component.bottom) / 2, area: Double(component.area))
      guard let number = people.add(body) else { break }
      bodies[next] = number
    }
    components.forEachOverlap(with: filter.formerComponents) { own, former, samples in
      guard let body = bodies[own], let formerBody = formerBodies[former] else { return }
      people.overlap(body, formerBody, samples)
    }
    people.update()
  }

  /// Returns the largest component that is a body and has no number yet.
  private func largestBody(_ filter: ComponentFilter) -> Int? {
    var best: Int?
    for i in 0..<filter.components.count where filter.isBody(i) && bodies[i] == nil {
      if let other = best, filter.components[other].area >= filter.components[i].area { continue }
      best = i
    }
    return best
  }

  /// Marks the shown components, and returns the component that is only partly shown.
  private func showChosen(_ keep: MatteSettings.Keep, _ filter: ComponentFilter) -> Int? {
    let (components, ownership) = (filter.components, filter.ownership)
    let hadContact = hasContact
    hasContact = false
    let person = people.choose(keep)
    if person != lastPerson {
      // The samples of one person are not another's.
      ownership.reset()
      newcomers.reset()
      lastPerson = person
    }
    guard let person, let body = people.body(of: person) else { return nil }
    let component = people.bodies[body].component
    let reach = filter.reach
    for i in 0..<components.count where filter.verdicts[i].isPerson {
      // A limb belongs to the nearest person.
      filter.verdicts[i].isShown =
        i == component
        || bodies[i] == nil && !filter.verdicts[i].isExcluded
          && components.distance(from: i, within: reach, where: { $0 == component }) != nil
          && !splitter.belongsToOther(i, of: components)
    }
    let isMerged = people.headCount(body) > 1
    if !isMerged {
      showsWhole = false
    } else if !ownership.isFresh || people.hasOccluder(body) {
      showsWhole = true
    }
    if isMerged, !showsWhole { return component }
    contactTicks = hadContact ? contactTicks + filter.ticks : 0
    // Without a newcomer at a side there is nothing to exclude.
    guard !splitter.isDividing, newcomers.areKnown else { return nil }
    let begins = !hadContact && hasNewcomer[component]
    if begins, !ownership.isFresh { ownership.recall(filter.formerComponents) }
    let keptArea = ownership.isFresh ? ownership.kept(of: component, in: components).area : 0
    let isPartlyDropped = keptArea > 0 && keptArea < components[component].area
    hasContact = begins || hadContact && isPartlyDropped && contactTicks < Self.maxContactTime
    return hasContact ? component : nil
  }

  /// Records the shown columns of each row for the next search for newcomers.
  private func recordShown(_ filter: ComponentFilter, partlyShown: Int?) {
    for y in 0..<grid.height {
      var columns = 0..<0
      for i in filter.components.runs(inRow: y) {
        let run = filter.components.run(i)
        let component = Int(run.component)
        guard filter.verdicts[component].isShown else { continue }
        let own =
          component == partlyShown
          ? filter.ownership.kept(of: run, row: y) : Int(run.first)..<Int(run.end)
        guard !own.isEmpty else { continue }
        columns = columns.isEmpty ? own : columns.lowerBound..<own.upperBound
      }
      newcomers.record(shown: columns, row: y)
    }
  }
}
