import PixelTypes
import Processor

/// Runs the networks of a stream on its frames, or on a crop that follows the people.
///
/// A finding can lead to further passes: a person at the edge of the crop calls for a full-frame
/// pass, for example. An object works for one frame format. It and its parts allocate memory only
/// when they are created. Not thread-safe.
final class FrameSegmentation {
  private typealias Work = PassRunner.Work

  private let runner: PassRunner
  private let hasCrop: Bool
  private let wholeFrame: SegmentationStage
  /// The network of the crop passes, or `wholeFrame` without a crop.
  private let stage: SegmentationStage
  /// The network of the full-frame passes, which also searches tiles.
  private let peopleFinder: SegmentationStage
  /// The network at a coarser size, which runs once a second, or nil if it has one size.
  private let coarse: SegmentationStage?
  /// The network that confirms people together with `peopleFinder`, or nil without confirmation.
  private let witness: SegmentationStage?
  /// Limits the mattes of crops to where full-frame passes find people.
  private let limit: FullFrameLimit
  /// Compares two networks, or nil without a second one or if one of them is recurrent.
  private let crossCheck: CrossCheck?
  /// Restores parts with the coarser size, or nil if the network has one size.
  private let recovery: LowResolutionRecovery?
  /// Clears components that are not people.
  private let confirmation: Confirmation
  /// The matte of one crop if there are several, of a tile, or of a witness.
  private let part: Raster<UInt8>
  private let people: PeopleBounds

  /// The crop that contains all people, to which the state of the recurrent networks belongs.
  private var tracker: CropTracker {
    didSet {
      let (old, new) = (oldValue.region, tracker.region)
      if old == new { return }
      stage.segmenter.movePast(from: old, to: new)
      coarse?.segmenter.movePast(from: old, to: new)
    }
  }
  private var personCrops: PersonCrops
  private var tiles: TileSearch
  private var fullFrames = PassSchedule(interval: PassSchedule.searchInterval)
  /// Schedules the checks of a matte by a second network.
  private var checks = PassSchedule(interval: PassSchedule.probeInterval)
  /// Schedules the recovery of parts that a crop pass misses.
  private var recoveries = PassSchedule(interval: PassSchedule.probeInterval)

  // The state of the current frame.

  private var ticks = 1
  private var isCheckDue = false
  /// Whether there was a full-frame pass that finds people.
  private var hasSearched = false
  /// Whether the crop was widened for a second matte.
  private var wasWidened = false

  /// The crop of a witness: the margin that its training data had around people.
  private static let witnessMargins = CropMargins(margin: 0.2, maxShare: 1)
  /// The minimum mean alpha of a witness's matte in a component that shows a person.
  ///
  /// Of 298 people, each gets at least 0.72 from both witnesses. Of 55 components of objects, one
  /// gets more than 0.51 from both, 0.88 (float32, landscape network and matting network).
  private static let minWitnessMean = 0.6

  /// Creates tables and buffers for frames of `format` and for mattes on `grid`.
  ///
  /// The reduced picture of a frame is smaller by `1 << shift`.
  init(
    _ segmenters: Segmenters, format: FrameFormat, shift: Int, grid: MatteGrid, bands: Bands,
    runningInferences: RunningInferences
  ) {
    let (whole, crop) = (segmenters.wholeFrame, segmenters.crop)
    hasCrop = crop != nil
    let runner = PassRunner(
      format: format, shift: shift, grid: grid, hasCrops: hasCrop, bands: bands,
      runningInferences: runningInferences)
    self.runner = runner
    let wholeFrame = runner.makeStage(whole, seesFullFrames: true)
    self.wholeFrame = wholeFrame
    let segmenter = crop?.segmenter ?? whole
    let finder = crop?.peopleFinder ?? whole
    // A network that sees the full frame in between would lose its memory of the crop.
    let isShared = segmenter === whole && (segmenter !== finder || !hasCrop)
    stage = isShared ? wholeFrame : runner.makeStage(segmenter)
    peopleFinder = finder === whole ? wholeFrame : runner.makeStage(finder, seesFullFrames: true)
    coarse = crop?.coarse.map { runner.makeStage($0) }
    witness = crop?.witness.map { runner.makeStage($0) }
    let canCheck = segmenter !== whole && !segmenter.remembersPast && !whole.remembersPast
    crossCheck = canCheck ? CrossCheck(grid: grid) : nil
    recovery = coarse.map { _ in LowResolutionRecovery(grid: grid) }
    var cropGrid = grid
    // Without a crop, the objects for crops get no memory.
    if !hasCrop { cropGrid.width = 0 }
    limit = FullFrameLimit(grid: cropGrid)
    confirmation = Confirmation(grid: cropGrid)
    people = PeopleBounds(format: format, grid: cropGrid)
    part = Raster(width: cropGrid.width, height: grid.height, filledWith: 0)
    tracker = CropTracker(
      format: format, network: segmenter,
      margins: crop?.margins ?? CropMargins(margin: 0, maxShare: 0))
    personCrops = PersonCrops(tracker)
    tiles = TileSearch(format: format)
  }

  /// The accuracy of the mattes along the edge of the person.
  var edge: MatteEdge { stage.segmenter.edge }

  /// Whether there was a frame since the last reset.
  var hasPast: Bool { runner.hasPast }

  /// The part of the frame that the networks processed for the last matte.
  ///
  /// Valid until `recordPeople` is called.
  var seenRegion: PixelRegion { personCrops.areUsed ? runner.frame : tracker.region }

  /// Discards the state of earlier frames.
  ///
  /// Pass false to `warmsUp` if the stream already shows frames, which must not wait for warm-up
  /// runs.
  func reset(warmsUp: Bool = true) {
    runner.reset(warmsUp: warmsUp)
    wholeFrame.segmenter.reset()
    guard hasCrop else { return }
    tracker.reset()
    personCrops.reset()
    tiles.reset()
    checks.reset()
    recoveries.reset()
    stage.segmenter.reset()
    coarse?.segmenter.reset()
    peopleFinder.segmenter.reset()
  }

  func resetPeople() { confirmation.reset() }

  /// Writes the matte of a frame to `matte`, on the grid, and returns the stage that computed it.
  ///
  /// `picture` is the reduced frame, and `former` the luma of the previous matte's picture. `ticks`
  /// is the time since the previous frame. Throws `SegmentationError` if an inference fails or if
  /// its result does not fit the network's input.
  func makeMatte(
    of frame: Frame, reduced picture: Frame, former: Plane, after ticks: Int,
    into matte: Raster<UInt8>, clock: inout StageClock
  ) throws(SegmentationError) -> SegmentationStage {
    runner.exposure.adapt(to: picture, after: ticks)
    var work = Work(
      frame: frame, picture: picture, former: former, matte: matte, maker: wholeFrame, clock: clock)
    defer { (runner.hasPast, clock) = (true, work.clock) }
    if hasCrop {
      try segmentCrop(after: ticks, &work)
    } else {
      if wholeFrame.segmenter.remembersPast { try runner.warmUp(wholeFrame, runner.frame, &work) }
      try makeMatte(by: wholeFrame, of: runner.frame, into: matte, &work)
    }
    return work.maker
  }

  /// Chooses the crop for the next frame by the matte of this one.
  func recordPeople(in matte: Raster<UInt8>) {
    guard hasCrop else { return }
    let all = people.find(in: matte)
    tiles.record(findsPeople: all != nil, after: ticks)
    tracker.follow(all, after: ticks, isNew: wasWidened)
    if !stage.segmenter.remembersPast {
      personCrops.follow(people.apart, in: tracker.region, after: ticks)
    }
  }

  // MARK: - Mattes of crops

  private func segmentCrop(after ticks: Int, _ work: inout Work) throws(SegmentationError) {
    self.ticks = ticks
    (hasSearched, wasWidened) = (false, false)
    fullFrames.advance(by: ticks)
    checks.advance(by: ticks)
    recoveries.advance(by: ticks)
    isCheckDue = checks.isDue
    var found: PixelRegion?
    let seesParts = !tracker.isWhole || personCrops.areUsed
    if !runner.hasPast || seesParts && fullFrames.isDue { found = try findPeople(&work) }
    if personCrops.areUsed {
      try makeMatteOfEach(&work)
    } else {
      if !runner.hasPast, !needsWholeFrame { try chooseCrop(found, &work) }
      try makeMatteOfAll(&work)
    }
    try confirmPeople(after: ticks, &work)
    if witness != nil, isFirst || tiles.isDue, people.find(in: work.matte) == nil {
      try searchTiles(&work)
    }
  }

  /// Whether this is the first frame, for which the stream can wait.
  private var isFirst: Bool { !runner.hasPast && runner.warmUps > 0 }

  /// Whether the crop is the full frame, which is left to another network.
  private var needsWholeFrame: Bool {
    tracker.isWhole && stage.segmenter !== wholeFrame.segmenter
  }

  /// Finds people in the full frame, so that the crop contains all of them.
  private func findPeople(_ work: inout Work) throws(SegmentationError) -> PixelRegion? {
    hasSearched = true
    fullFrames.restart()
    try runner.infer(peopleFinder, runner.frame, &work)
    limit.update(from: peopleFinder)
    let found = people.find(in: limit.matte)
    personCrops.include(people.apart)
    if runner.hasPast { tracker.include(found) } else { tracker.follow(found, isNew: true) }
    return found
  }

  /// Chooses the crop of the first frame by its mattes.
  ///
  /// Each run improves the matte of a network with a memory. `found` are the people in the full
  /// frame.
  private func chooseCrop(_ found: PixelRegion?, _ work: inout Work) throws(SegmentationError) {
    for _ in 0..<(stage.segmenter.remembersPast ? runner.warmUps : 1) {
      try runner.infer(stage, tracker.region, &work)
      stage.place(into: work.matte)
      // Change the crop in two steps. Otherwise the network would remember the part that the second
      // step adds as a part without people.
      tracker.follow(people.find(in: work.matte), isNew: true)
      // The coarser network finds parts that the crop's network misses, so the crop must contain
      // them. In the dark, the full-frame pass mistakes too much background for people.
      if coarse != nil, !runner.exposure.isDark { tracker.include(found) }
    }
  }

  private func makeMatteOfEach(_ work: inout Work) throws(SegmentationError) {
    for (i, person) in personCrops.crops.enumerated() {
      let matte = i == 0 ? work.matte : part
      try makeMatte(by: stage, of: person.region, checker: cropChecker, into: matte, &work)
      guard i > 0 else { continue }
      for y in 0..<matte.height {
        let row = unsafe work.matte.row(y)
        unsafe kernels.maximumRow(row, matte.row(y), row, matte.width)
      }
    }
  }

  private func makeMatteOfAll(_ work: inout Work) throws(SegmentationError) {
    if needsWholeFrame {
      // If the full-frame pass of this frame ran on this network, it was the network's last run.
      let isDone = hasSearched && peopleFinder === wholeFrame
      try makeMatte(
        by: wholeFrame, of: runner.frame, checker: stage, isDone: isDone, into: work.matte, &work)
      return
    }
    try makeMatte(by: stage, of: tracker.region, checker: cropChecker, into: work.matte, &work)
    var isCutOff = stage.isCutOff(in: runner.frame)
    if let coarse, recoveries.isDue, try restoreParts(by: coarse, &work) {
      isCutOff = isCutOff || coarse.isCutOff(in: runner.frame)
    }
    guard isCutOff, !wasWidened else { return }
    let region = tracker.region
    // A crop pass can mistake furniture at the crop's edge for a person. A full-frame pass sees
    // more of that object.
    if !hasSearched { _ = try findPeople(&work) }
    if tracker.region == region {
      limit.apply(to: work.matte)
    } else {
      wasWidened = true
      try makeMatteOfAll(&work)
    }
  }

  /// The network that checks crops, which is used only in the dark.
  ///
  /// In good light, the crop's network follows a small, fast person better without a check.
  private var cropChecker: SegmentationStage? { runner.exposure.isDark ? wholeFrame : nil }

  /// Writes the matte of a part of the frame, and checks it with a second network if that is due.
  ///
  /// If `isDone`, the network has already run on this part of this frame.
  private func makeMatte(
    by stage: SegmentationStage, of region: PixelRegion, checker: SegmentationStage? = nil,
    isDone: Bool = false, into matte: Raster<UInt8>, _ work: inout Work
  ) throws(SegmentationError) {
    if !isDone { try runner.infer(stage, region, &work) }
    work.maker = stage
    stage.place(into: matte)
    guard isCheckDue, let checker, let crossCheck else { return }
    try runner.infer(checker, region, &work)
    checker.place(into: crossCheck.matte)
    let share = crossCheck.contradictedShare(of: matte)
    if checks.record(share: share) { crossCheck.limit(matte, contradicted: share) }
  }

  /// Adds the parts that the network of the crop missed, and returns whether there are any.
  private func restoreParts(
    by coarse: SegmentationStage, _ work: inout Work
  ) throws(SegmentationError) -> Bool {
    guard let recovery else { return false }
    let region = tracker.region
    try runner.warmUp(coarse, region, &work)
    try runner.infer(coarse, region, &work)
    coarse.place(into: recovery.matte)
    let share = recovery.missedShare(of: work.matte, in: region)
    guard recoveries.record(share: share) else { return false }
    recovery.restore(to: work.matte, in: region)
    return true
  }

  /// Searches for people who are too small for a full-frame pass.
  ///
  /// Searches the next tile, or all tiles of the first frame.
  private func searchTiles(_ work: inout Work) throws(SegmentationError) {
    for _ in 0..<(isFirst ? TileSearch.count : 1) {
      try runner.infer(peopleFinder, tiles.next(), &work)
      peopleFinder.place(into: part)
      guard let found = people.find(in: part), !people.apart.isEmpty else { continue }
      tracker.follow(found, isNew: true)
      try runner.infer(stage, tracker.region, &work)
      stage.place(into: work.matte)
      try confirmPeople(after: 0, &work)
      if people.find(in: work.matte) != nil {
        work.maker = stage
        return
      }
      work.matte.fill(with: 0)
      tracker.reset()
      // Do not reset the network of the crop: without state, it mistakes more background for people
      // than with the state of this tile.
      coarse?.segmenter.reset()
    }
  }

  // MARK: - Witnesses

  /// Clears the components of the matte that are not people.
  private func confirmPeople(after ticks: Int, _ work: inout Work) throws(SegmentationError) {
    guard let witness else { return }
    let hasLeft = try confirmation.apply(
      to: work.matte, luma: work.picture.luma, former: work.former, after: ticks
    ) { (components, component, isKnown) throws(SegmentationError) in
      var box = runner.grid.region(of: components[component], in: runner.format)
      let isSeen = try sees(component, of: components, peopleFinder, box, &work)
      if isSeen == isKnown { return isKnown }
      // The other witness sees the upper part, and therefore people who stand as well as people who
      // sit.
      witness.segmenter.reset()
      box.height = min(box.height, box.width * 3 / 4 + 1)
      return try sees(component, of: components, witness, box, &work)
    }
    guard hasLeft else { return }
    // A recurrent network remembers a person who has left.
    stage.segmenter.reset()
    coarse?.segmenter.reset()
  }

  /// Returns whether a witness sees a person in a component when it looks at `box`.
  private func sees(
    _ component: Int, of components: ConnectedComponents, _ stage: SegmentationStage,
    _ box: PixelRegion, _ work: inout Work
  ) throws(SegmentationError) -> Bool {
    var view = CropTracker(
      format: runner.format, network: stage.segmenter, margins: Self.witnessMargins)
    view.follow(box, isNew: true)
    try runner.infer(stage, view.region, &work)
    stage.place(into: part)
    let columns = runner.grid.columns(of: view.region), rows = runner.grid.rows(of: view.region)
    var (sum, count) = (0, 0)
    components.forEachRun(of: component) { y, run in
      let run = run.clamped(to: columns)
      guard rows.contains(y), !run.isEmpty else { return }
      let row = unsafe part.row(y)
      for x in run { unsafe sum &+= Int(row[x]) }
      count += run.count
    }
    return Double(sum) >= Self.minWitnessMean * 255 * Double(max(count, 1))
  }
}
