import PixelTypes

/// Decides which connected components of a matte are people, and clears the others.
///
/// Dropped components are cleared together with the soft samples around them. Kept components are
/// not changed. A matte with too many components is noise, and is not changed either.
///
/// A `PersonSelector` calls `find`, `judge` and `finish` in this order, and decides between them
/// which people are shown. Call these once per inference. Time is in `MatteClock` ticks. Use a
/// filter on one thread at a time. It allocates memory only when it is created.
package final class ComponentFilter {
  /// The minimum alpha of the samples of a component.
  ///
  /// The threshold is below one half, so that a blurred hand stays in one piece. It is well above
  /// the faint samples that connect a person with other objects.
  package static let threshold: UInt8 = 96

  /// How long a fragment of a person counts as a person without independent evidence.
  private static let graceTime = MatteClock.ticks(seconds: 0.5)

  /// The sampling grid of the mattes over the frame.
  package let grid: MatteGrid
  /// The components of this matte and of the previous one.
  package private(set) var components: ConnectedComponents, formerComponents: ConnectedComponents
  /// The verdict on each of `components` and of `formerComponents`.
  package var verdicts: [Verdict]
  private(set) var formerVerdicts: [Verdict]
  /// The samples that were shown in the last matte, if some samples were dropped.
  package let ownership: OwnershipMap
  /// The area of the largest component, in samples.
  private var largestArea = 0
  /// Ticks since the previous matte.
  package private(set) var ticks = 1

  /// The decision about a component.
  package struct Verdict {
    /// Whether the component is a person or a part of a person, and whether it is shown.
    package var isPerson = false, isShown = false
    /// Whether the component is a separate person, not a limb.
    package var isBody = false
    /// Whether a `PersonSelector` assigned the component to a person that the matte does not show.
    package var isExcluded = false
    /// Ticks for which the component's fragments count as a person without independent evidence.
    var graceTicks = 0
    /// The number of the component's samples that belonged to a person in the last matte.
    var inherited = 0
    /// The number of the component's samples that were shown in the last matte.
    package var shownBefore = 0
  }

  package init(grid: MatteGrid) {
    self.grid = grid
    let (width, height) = (grid.width, grid.height)
    components = ConnectedComponents(width: width, height: height)
    formerComponents = ConnectedComponents(width: width, height: height)
    verdicts = Array(repeating: Verdict(), count: ConnectedComponents.maxCount)
    // A copy of `verdicts` would share its memory, and be allocated only at the first write.
    formerVerdicts = Array(repeating: Verdict(), count: ConnectedComponents.maxCount)
    ownership = OwnershipMap(grid: grid)
  }

  /// Discards the state of earlier mattes, so that they do not affect the next one.
  package func reset() {
    formerComponents.begin()
    components.begin()
    ownership.reset()
  }

  /// Clears the components of `matte` that are not people, in place.
  ///
  /// `ticks` is the time since the previous matte. The first matte counts as one tick.
  package func apply(to matte: Raster<UInt8>, after ticks: Int) {
    // Noise is not changed.
    guard find(in: matte, after: ticks) else { return }
    judge()
    for i in 0..<components.count { verdicts[i].isShown = verdicts[i].isPerson }
    finish(matte)
  }

  /// Finds the components of `matte` and their properties from the previous matte.
  ///
  /// Returns false, and resets the filter, if there are too many runs or components.
  package func find(in matte: Raster<UInt8>, after ticks: Int) -> Bool {
    self.ticks = ticks
    swap(&components, &formerComponents)
    swap(&verdicts, &formerVerdicts)
    guard components.find(atLeast: Self.threshold, in: matte) else {
      reset()
      return false
    }
    components.measure(matte)
    largestArea = components.largestArea()
    for i in 0..<components.count { verdicts[i] = Verdict() }
    components.forEachOverlap(with: formerComponents) { own, former, samples in
      let past = formerVerdicts[former]
      if past.isShown { verdicts[own].shownBefore += samples }
      guard past.isPerson else { return }
      verdicts[own].inherited += samples
      verdicts[own].graceTicks = max(verdicts[own].graceTicks, past.graceTicks)
    }
    return true
  }

  /// The maximum distance of a limb from its body in samples: about a hand of the largest person.
  package var reach: Int { Self.reach(ofArea: largestArea) }

  /// Returns the reach for a largest person of `area` samples.
  static func reach(ofArea area: Int) -> Int { Int(0.15 * Double(area).squareRoot()) }

  /// Decides for each component whether it is a person or belongs to one.
  package func judge() {
    // A large component is a person with any alpha.
    for i in 0..<components.count where components.isBody(i, largestArea: largestArea) {
      (verdicts[i].isPerson, verdicts[i].isBody) = (true, true)
      verdicts[i].graceTicks = Self.graceTime
    }
    for i in 0..<components.count where !components.isBody(i, largestArea: largestArea) {
      judgeIsland(i)
    }
  }

  private func judgeIsland(_ i: Int) {
    // An excluded component is not a limb, and is too small to be tracked as a person.
    if verdicts[i].isExcluded { return }
    let sure = components[i].isCertain
    let graceTicks = verdicts[i].graceTicks
    let isLimb = components.distance(from: i, within: reach, where: { verdicts[$0].isBody }) != nil
    let descends = 8 * verdicts[i].inherited >= components[i].area
    verdicts[i].isPerson = isLimb || sure || descends && graceTicks > 0
    verdicts[i].isBody = sure && !isLimb
    let own = sure ? Self.graceTime : graceTicks - ticks
    verdicts[i].graceTicks = verdicts[i].isPerson ? max(own, 0) : 0
  }

  /// Clears all components that the verdicts do not show.
  ///
  /// - In the component `partlyShown`, the samples that were dropped in the last matte are cleared.
  ///   Samples that had no owner are cleared if they are `excluded`.
  /// - With `excludesNeighbours`, the samples that are connected with a dropped sample at an alpha
  ///   of at least `threshold` are also cleared.
  package func finish(
    _ matte: Raster<UInt8>, partlyShown: Int? = nil, excludesNeighbours: Bool = false,
    excluded: (_ x: Int, _ y: Int) -> Bool = { _, _ in false }
  ) {
    let dropsSome = (0..<components.count).contains { $0 != partlyShown && !verdicts[$0].isShown }
    guard dropsSome || partlyShown != nil else {
      ownership.reset()
      return
    }
    ownership.assign(components, isDropped: excluded) { component in
      if component == partlyShown { return nil }
      return verdicts[component].isShown ? .kept : .dropped
    }
    ownership.clear(
      matte, components: components, droppingFrom: excludesNeighbours ? Self.threshold : nil)
  }
}
