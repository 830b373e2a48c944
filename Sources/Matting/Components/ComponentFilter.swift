import PixelTypes

/// Decides which connected components of a matte are people, and empties the others.
///
/// A component that is dropped goes with the soft samples around it. A component that is kept is left
/// as it is. A matte with more components than people have is noise.
///
/// A `PersonSelector` calls `find`, `judge` and `finish` in this order, and decides between them who is
/// shown. Call these once for each inference. Time is given in the ticks of a `MatteClock`. Use a filter
/// on one thread at a time. It allocates nothing after it is made.
package final class ComponentFilter {
  /// Minimum alpha of the samples of a component.
  ///
  /// Below one half, so that a blurred hand stays in one piece, and well above the haze that links a
  /// person with something else.
  package static let threshold: UInt8 = 96

  /// How the samples of the mattes lie over the frame.
  package let grid: MatteGrid
  /// The components of this matte and of the one before.
  package private(set) var components: ConnectedComponents, formerComponents: ConnectedComponents
  /// The verdict on each of `components` and of `formerComponents`.
  package var verdicts: [Verdict]
  private(set) var formerVerdicts: [Verdict]
  /// Which samples were shown last; it is fresh only if some were not.
  package let ownership: OwnershipMap
  /// What earlier mattes say about each sample.
  let history: MatteHistory
  /// Whether there was a matte since the last reset.
  package private(set) var hasPast = false
  /// The area of the largest component, in samples.
  private(set) var largestArea = 0
  /// Ticks since the matte before.
  package private(set) var ticks = 1

  /// What is decided about a component.
  package struct Verdict {
    /// Whether it is a person or belongs to one, and whether it is shown.
    package var isPerson = false, isShown = false
    /// Whether it is a person of its own, as opposed to a limb.
    var isStandalonePerson = false
    /// Whether a `PersonSelector` has found that it belongs to somebody who is not shown.
    package var isExcluded = false
    /// Ticks for which its descendants count as a person without a reason of their own.
    var credit = 0
    /// Ticks since it appeared, by descent.
    var age = 0
    /// Samples that were a person's in the last matte.
    var inherited = 0
    /// Samples that were shown in the last matte.
    package var shownBefore = 0
    /// The means of the history.
    var past = MatteHistory.Means()
  }

  /// Allocates memory for mattes on `grid`.
  package init(grid: MatteGrid) {
    self.grid = grid
    let (width, height) = (grid.width, grid.height)
    components = ConnectedComponents(width: width, height: height)
    formerComponents = ConnectedComponents(width: width, height: height)
    verdicts = Array(repeating: Verdict(), count: ConnectedComponents.maxCount)
    // Not a copy of the other: that would be made when the first component is found.
    formerVerdicts = Array(repeating: Verdict(), count: ConnectedComponents.maxCount)
    history = MatteHistory(grid: grid, threshold: Self.threshold)
    ownership = OwnershipMap(grid: grid)
  }

  /// Forgets earlier mattes: the next one is judged by itself.
  package func reset() {
    formerComponents.begin()
    components.begin()
    history.reset()
    ownership.reset()
    hasPast = false
  }

  /// Empties the components of `matte`, in place, that are not people.
  ///
  /// `ticks` have passed since the matte before. The first matte counts as one tick.
  package func apply(to matte: Raster<UInt8>, after ticks: Int) {
    // Noise is left alone.
    guard find(in: matte, after: ticks) else { return }
    judge()
    for i in 0..<components.count { verdicts[i].isShown = verdicts[i].isPerson }
    finish(matte)
  }

  /// Finds the components of `matte` and what is known about them from the matte before.
  ///
  /// Returns false, and resets the filter, if there are more components than people have.
  package func find(in matte: Raster<UInt8>, after ticks: Int) -> Bool {
    self.ticks = ticks
    swap(&components, &formerComponents)
    swap(&verdicts, &formerVerdicts)
    guard components.find(atLeast: Self.threshold, in: matte) else {
      reset()
      return false
    }
    components.measure(matte)
    largestArea = 0
    for i in 0..<components.count {
      verdicts[i] = Verdict()
      largestArea = max(largestArea, components[i].area)
    }
    inherit()
    return true
  }

  /// Copies what is known about the components that overlap those of this matte.
  private func inherit() {
    components.forEachOverlap(with: formerComponents) { own, former, samples in
      let past = formerVerdicts[former]
      verdicts[own].age = max(verdicts[own].age, past.age + ticks)
      if past.isShown { verdicts[own].shownBefore += samples }
      guard past.isPerson else { return }
      verdicts[own].inherited += samples
      verdicts[own].credit = max(verdicts[own].credit, past.credit)
    }
    for i in 0..<components.count {
      verdicts[i].past = history.means(of: i, in: components)
    }
  }

  /// Empties what the verdicts do not show.
  ///
  /// Of the component `partlyShown`, the samples that were not shown before are emptied. Those that had
  /// no owner are emptied if they are `excluded`. With `excludesNeighbours`, what is connected with an
  /// excluded sample at no less than `threshold` is emptied too.
  package func finish(
    _ matte: Raster<UInt8>, partlyShown: Int? = nil, excludesNeighbours: Bool = false,
    excluded: (_ x: Int, _ y: Int) -> Bool = { _, _ in false }
  ) {
    history.record(matte, after: ticks)
    hasPast = true
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
