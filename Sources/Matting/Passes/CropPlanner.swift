import InferenceTypes
import PixelTypes

/// Plans the passes of a frame: which network processes which part of it, and why.
///
/// `FrameSegmentation` runs the passes in order and reports the findings. A finding can add passes
/// to the plan: a person at the edge of the crop calls for a full-frame pass, for example.
///
/// The planner works only with regions and times, not with pixels. It allocates memory only when it
/// is created.
struct CropPlanner {
  /// The properties of the networks that affect the plan.
  struct Networks {
    /// Whether there are networks for crops.
    var hasCrop = false
    /// Whether the network of the crops also makes the mattes of full frames.
    var cropIsWholeFrame = false
    /// Whether the network that finds people also makes the mattes of full frames.
    var peopleFinderIsWholeFrame = false
    /// Whether the network of the mattes is recurrent.
    var remembersPast = false
    /// Whether the network of the crops also exists at a coarser size.
    var hasCoarseCrop = false
    /// Whether one network can check the mattes of another one.
    var canCheck = false
    /// Whether people in tiles of a frame can be confirmed.
    var canSearchTiles = false
  }

  /// Whether there was a frame since the last reset.
  private(set) var hasPast = false
  /// Whether a full-frame pass found no person at an edge of the crop that the matte reaches.
  ///
  /// In that case the crop pass mistook furniture for a person, and the matte must be limited.
  private(set) var isLimited = false
  /// Schedules the checks of a matte by a second network.
  private var checks = PassSchedule(interval: PassSchedule.probeInterval)
  /// Schedules the recovery of parts that a crop pass misses.
  private var recoveries = PassSchedule(interval: PassSchedule.probeInterval)

  /// The runs of a recurrent network on the first frame, before its matte is used.
  ///
  /// MAD of 22 first frames was 4.6 with four runs and 5.3 without.
  private static let maxWarmUps = 4

  private let frame: PixelRegion
  private let networks: Networks
  private var crop: CropTracker
  private var personCrops: PersonCrops
  private var tiles: TileSearch
  private var fullFrames = PassSchedule(interval: PassSchedule.fullFrameInterval)
  private var warmUps = maxWarmUps

  // The plan of the current frame.

  private var passes: [Pass] = []
  private var nextPass = 0
  private var ticks = 1
  private var isDark = false
  private var isCheckDue = false
  private var isCutOff = false
  private var widening = Widening.undecided
  /// The people in the full frame, who may be outside of the crop of the first frame.
  private var firstPeople: PixelRegion?
  private var firstMattesLeft = 0, tilesLeft = 0

  /// The reaction to a person who extends beyond the crop.
  private enum Widening: Equatable {
    /// No reaction yet: a full-frame pass must decide.
    case undecided
    /// The full-frame pass is planned. The value is the crop before that pass.
    case planned(PixelRegion)
    /// The crop was widened for a second matte of this frame.
    case done
    /// No widening: the full-frame pass precedes the matte, or did not change the crop.
    case declined
  }

  /// Creates a planner for frames of `format`.
  ///
  /// `aspect` is the width of the input of the crop's network divided by its height.
  init(format: FrameFormat, networks: Networks, aspect: Double, margins: CropMargins) {
    frame = PixelRegion(wholeOf: format)
    self.networks = networks
    crop = CropTracker(format: format, aspect: aspect, margins: margins)
    personCrops = PersonCrops(crop)
    tiles = TileSearch(format: format)
    // More passes than any frame needs.
    passes.reserveCapacity(64)
  }

  /// The crop that contains all people.
  var region: PixelRegion { crop.region }

  /// The part of the frame that the networks of the last matte saw.
  ///
  /// Valid until `recordPeople` is called.
  var seenRegion: PixelRegion { personCrops.areUsed ? frame : crop.region }

  /// Whether the frame must be searched in tiles if it seems to be empty.
  var isSearchDue: Bool { networks.canSearchTiles && (isFirst || tiles.isDue) }

  private var isFirst: Bool { !hasPast && warmUps > 0 }

  /// Discards the state of earlier frames.
  ///
  /// Pass false to `warmsUp` if the stream already shows frames, which must not wait for warm-up
  /// runs.
  mutating func reset(warmsUp: Bool) {
    warmUps = warmsUp ? Self.maxWarmUps : 0
    crop.reset()
    personCrops.reset()
    tiles.reset()
    checks.reset()
    recoveries.reset()
    hasPast = false
  }

  // MARK: - The plan of a frame

  /// Begins the plan of a frame, `ticks` after the previous frame.
  mutating func begin(after ticks: Int, isDark: Bool) {
    passes.removeAll(keepingCapacity: true)
    nextPass = 0
    (self.ticks, self.isDark) = (ticks, isDark)
    (isLimited, widening, firstPeople) = (false, .undecided, nil)
    fullFrames.advance(by: ticks)
    checks.advance(by: ticks)
    recoveries.advance(by: ticks)
    isCheckDue = networks.canCheck && checks.isDue
    guard networks.hasCrop else {
      if !hasPast, networks.remembersPast { addWarmUps(.wholeFrame, frame) }
      add(.matte, .wholeFrame, frame)
      return
    }
    let seesParts = !crop.isWhole || personCrops.areUsed
    if !hasPast || seesParts && fullFrames.isDue {
      widening = .declined
      add(.findPeople, .peopleFinder, frame)
    } else {
      planMatte()
    }
  }

  /// Returns the next pass of the frame, or nil after the last one.
  mutating func next() -> Pass? {
    guard nextPass < passes.count else { return nil }
    defer { nextPass += 1 }
    return passes[nextPass]
  }

  /// Ends the plan of a frame, even after a failed inference.
  mutating func end() { hasPast = true }

  private mutating func planMatte() {
    if personCrops.areUsed {
      for (i, person) in personCrops.crops.enumerated() {
        add(
          i == 0 ? .matte : .furtherPerson, .crop, person.region, checker: cropChecker)
      }
    } else if !hasPast, !needsWholeFrame {
      // The first matte chooses the crop for the next one. Each run improves the matte of a network
      // with a memory.
      firstMattesLeft = networks.remembersPast ? warmUps : 1
      planFirstMatte()
    } else {
      planMatteOfAll()
    }
  }

  private mutating func planFirstMatte() {
    guard firstMattesLeft > 0 else {
      planMatteOfAll()
      return
    }
    firstMattesLeft -= 1
    add(.firstMatte, .crop, crop.region)
  }

  private mutating func planMatteOfAll() {
    if needsWholeFrame {
      // If the full-frame pass of this frame ran on this network, it was the network's last run.
      add(
        .matte, .wholeFrame, frame, checker: isCheckDue ? .crop : nil,
        isDone: networks.peopleFinderIsWholeFrame && widening != .undecided)
    } else {
      add(.matteOfCrop, .crop, crop.region, checker: cropChecker)
    }
  }

  /// Whether the crop is the full frame, which is left to another network.
  private var needsWholeFrame: Bool { crop.isWhole && !networks.cropIsWholeFrame }

  /// The network that checks crops, which is used only in the dark.
  ///
  /// In good light, the crop's network follows a small, fast person better without a check.
  private var cropChecker: Pass.Network? { isCheckDue && isDark ? .wholeFrame : nil }

  private mutating func planWidening() {
    guard isCutOff else { return }
    switch widening {
    case .undecided:
      // A crop pass can mistake furniture at the crop's edge for a person. A full-frame pass sees
      // more of that object.
      widening = .planned(crop.region)
      add(.findPeople, .peopleFinder, frame)
    case .declined: isLimited = true
    case .planned, .done: break
    }
  }

  private mutating func addWarmUps(_ network: Pass.Network, _ region: PixelRegion) {
    for _ in 0..<warmUps { add(.warmUp, network, region) }
  }

  private mutating func add(
    _ purpose: Pass.Purpose, _ network: Pass.Network, _ region: PixelRegion,
    checker: Pass.Network? = nil, isDone: Bool = false
  ) {
    passes.append(
      Pass(
        purpose: purpose, network: network, region: region, checker: checker, isDone: isDone))
  }

  // MARK: - Findings

  /// Records the people from a full-frame pass.
  ///
  /// `people` is the region of all people. `apart` contains the region of each person.
  mutating func recordFullFrame(_ people: PixelRegion?, apart: [PixelRegion]) {
    fullFrames.restart()
    personCrops.include(apart)
    if hasPast { crop.include(people) } else { crop.follow(people, isNew: true) }
    if case .planned(let before) = widening {
      widening = crop.region == before ? .declined : .done
      isLimited = widening == .declined
      if widening == .done { planMatteOfAll() }
    } else {
      // The coarser network finds parts that the crop's network misses, so the crop must contain
      // them. In the dark, the full-frame pass mistakes too much background for people.
      firstPeople = networks.hasCoarseCrop && !isDark ? people : nil
      planMatte()
    }
  }

  /// Records the people in a first matte.
  mutating func recordFirstMatte(_ people: PixelRegion?) { crop.follow(people, isNew: true) }

  /// Plans the pass after a first matte.
  ///
  /// Its crop also contains the people in the full frame.
  mutating func planAfterFirstMatte() {
    crop.include(firstPeople)
    planFirstMatte()
  }

  /// Records a check that contradicts `share` of the matte.
  ///
  /// Returns whether the share is large enough to count as a find.
  mutating func recordCheck(share: Double) -> Bool { checks.record(share: share) }

  /// Records whether a person in the matte of the crop extends beyond it.
  mutating func recordMatteOfCrop(isCutOff: Bool) {
    self.isCutOff = isCutOff
    guard networks.hasCoarseCrop, recoveries.isDue else {
      planWidening()
      return
    }
    if !hasPast { addWarmUps(.coarseCrop, crop.region) }
    add(.recovery, .coarseCrop, crop.region)
  }

  /// Records a recovery of `share` of the matte.
  ///
  /// `isCutOff` is true if a recovered person extends beyond the crop. Returns whether the share is
  /// large enough to count as a find.
  mutating func recordRecovery(share: Double, isCutOff: Bool) -> Bool {
    let isFind = recoveries.record(share: share)
    self.isCutOff = self.isCutOff || isFind && isCutOff
    planWidening()
    return isFind
  }

  /// Chooses the crops for the next frame by the people in the matte of this one.
  mutating func recordPeople(_ people: PixelRegion?, apart: [PixelRegion]) {
    tiles.record(findsPeople: people != nil, after: ticks)
    crop.follow(people, after: ticks, isNew: widening == .done)
    if !networks.remembersPast { personCrops.follow(apart, in: crop.region, after: ticks) }
  }

  // MARK: - The search for people who are too small for a full-frame pass

  /// Plans a search in the next tile, or in all tiles on the first frame.
  mutating func planSearch() {
    tilesLeft = isFirst ? tiles.count : 1
    planNextTile()
  }

  private mutating func planNextTile() {
    guard tilesLeft > 0 else { return }
    tilesLeft -= 1
    add(.searchTile, .peopleFinder, tiles.next())
  }

  /// Records the people in a tile.
  mutating func recordTile(_ people: PixelRegion?, apart: [PixelRegion]) {
    guard let people, !apart.isEmpty else {
      planNextTile()
      return
    }
    crop.follow(people, isNew: true)
    add(.confirmTile, .crop, crop.region)
  }

  /// Records the confirmed people in the last tile, and returns whether there are any.
  mutating func recordConfirmation(_ people: PixelRegion?) -> Bool {
    guard people == nil else { return true }
    crop.reset()
    planNextTile()
    return false
  }
}
