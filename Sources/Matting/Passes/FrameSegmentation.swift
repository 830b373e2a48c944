import InferenceTypes
import PixelTypes

/// Runs the networks of a stream on the parts of its frames that show people.
///
/// A full-frame pass finds people. A crop pass looks at the part of the frame that shows them, and
/// sees them larger. Further passes run from time to time: a cross-check by a second network, a
/// recovery of parts that a crop pass at a large size misses, and a search of tiles if the frame
/// seems to be empty.
///
/// Made for one frame format. Used on one thread at a time.
final class FrameSegmentation {
  /// Whether there was a frame since the last reset.
  private(set) var hasPast = false
  /// The part of the frame that the networks saw for the last matte.
  private(set) var seenRegion: PixelRegion

  /// Runs of a network with a memory on the first frame, before its matte is used.
  ///
  /// MAD of 22 first frames was 4.6 with four runs and 5.3 without.
  private static let maxWarmUpInferences = 4
  /// Ticks between full-frame passes: the maximum delay before a person outside of the crop is
  /// found.
  private static let fullFrameInterval = MatteClock.ticks(seconds: 0.13)
  /// Ticks between tiles that are searched in a frame that seems to be empty.
  private static let tileInterval = MatteClock.ticks(seconds: 0.13)

  private let kernels: any RowKernels.Type
  private let frame: PixelRegion
  private let shift: Int
  private let exposure: LowLightCurve
  private let wholeFrame: SegmentationStage
  private let crop: CropStages?
  /// The frame at twice the size of the reduced one, for crops that would be too coarse there.
  private let detail: ReducedFrame?
  private let people: PeopleBounds
  private var cropTracker: CropTracker
  private var personCrops: PersonCrops
  private var search: TileSearch
  private var warmUpInferences = maxWarmUpInferences
  private var ticks = 1
  private var ticksSinceFullFrame = 0
  /// Whether the crop was too small for this frame, so that the wider one is a guess.
  private var wasWidened = false

  /// The networks that look at a part of the frame, and how their mattes are combined.
  private struct CropStages {
    /// The network of the crop passes.
    let stage: SegmentationStage
    /// The same network at a smaller size, which runs once a second, or nil if it has one size.
    let smaller: SegmentationStage?
    /// The network of the full-frame passes.
    let overview: SegmentationStage
    /// Limits the mattes of crops to where full-frame passes find people.
    let limit: FullFrameLimit
    /// The matte of one crop, if there are several.
    let part: Raster<UInt8>
    /// Compares two networks, or nil without a second one or if one of them has a memory.
    let crossCheck: CrossCheck?
    /// Restores parts with the smaller size, or nil if the network has one size.
    let recovery: LowResolutionRecovery?

    /// Whether the crop passes and another stage share a network, and so its only matte.
    func shares(_ other: SegmentationStage) -> Bool { stage.segmenter === other.segmenter }
  }

  /// Makes tables and buffers for frames of `format` that are given as reduced by `1 << shift`,
  /// too, and for mattes on `grid`.
  init(
    _ segmenters: Segmenters, format: FrameFormat, shift: Int, grid: MatteGrid, bands: Bands,
    steps: MatteSteps, runningInferences: RunningInferences, kernels: any RowKernels.Type
  ) {
    frame = PixelRegion(wholeOf: format)
    seenRegion = frame
    self.shift = shift
    let minShift = segmenters.crop == nil ? shift : max(shift - 1, 0)
    detail =
      minShift == shift
      ? nil
      : ReducedFrame(format: format, shift: minShift, bands: bands, kernels: kernels)
    let exposure = LowLightCurve(format.colorimetry)
    self.exposure = exposure
    func stage(_ segmenter: any Segmenter) -> SegmentationStage {
      SegmentationStage(
        segmenter, format: format, minShift: minShift, grid: grid, exposure: exposure,
        runningInferences: runningInferences, kernels: kernels)
    }
    let wholeFrame = stage(segmenters.wholeFrame)
    self.wholeFrame = wholeFrame
    crop = segmenters.crop.map { crop in
      func shared(_ segmenter: any Segmenter) -> SegmentationStage {
        segmenter === segmenters.wholeFrame ? wholeFrame : stage(segmenter)
      }
      // A network that sees the full frame in between would lose what it remembers of the crop.
      let hasOwnNetwork = crop.segmenter !== crop.overview
      let remembersPast = crop.segmenter.remembersPast
      let canCompare =
        crop.segmenter !== segmenters.wholeFrame && !remembersPast
        && !segmenters.wholeFrame.remembersPast
      return CropStages(
        stage: hasOwnNetwork ? shared(crop.segmenter) : stage(crop.segmenter),
        smaller: crop.coarse.map(stage),
        overview: shared(crop.overview), limit: FullFrameLimit(grid: grid, kernels: kernels),
        part: Raster(
          width: remembersPast ? 0 : grid.width, height: grid.height, filledWith: 0),
        crossCheck: canCompare && steps.contains(.crossCheck)
          ? CrossCheck(grid: grid, kernels: kernels) : nil,
        recovery: steps.contains(.recovery) && crop.coarse != nil
          ? LowResolutionRecovery(grid: grid, kernels: kernels) : nil)
    }
    let closest = (segmenters.crop?.segmenter ?? segmenters.wholeFrame).inputFormat
    cropTracker = CropTracker(
      format: format, aspect: Double(closest.width) / Double(closest.height),
      framing: segmenters.crop?.framing ?? Framing(margin: 0, maxShare: 0))
    personCrops = PersonCrops(cropTracker)
    search = TileSearch(format: format, interval: Self.tileInterval)
    people = PeopleBounds(format: format, grid: grid)
    self.kernels = kernels
  }

  /// How well the mattes follow the edge of a person.
  var edge: MatteEdge { (crop?.stage ?? wholeFrame).segmenter.edge }

  /// Forgets earlier frames.
  ///
  /// Pass false to `warmsUp` if the stream already shows frames, which must not wait for warm-up
  /// runs.
  func reset(warmsUp: Bool = true) {
    warmUpInferences = warmsUp ? Self.maxWarmUpInferences : 0
    wholeFrame.segmenter.reset()
    crop?.stage.segmenter.reset()
    crop?.smaller?.segmenter.reset()
    crop?.overview.segmenter.reset()
    crop?.recovery?.reset()
    crop?.crossCheck?.reset()
    exposure.reset()
    cropTracker.reset()
    personCrops.reset()
    search.reset()
    hasPast = false
  }

  /// Writes the matte of a frame to `out`, on the grid, and returns the network that made it.
  ///
  /// `picture` is the reduced frame, `ticks` after the frame before. Throws `SegmentationError` if
  /// an inference fails or if its result does not fit the network's input.
  func makeMatte(
    of frame: Frame, reduced picture: Frame, after ticks: Int, into out: Raster<UInt8>,
    clock: inout StageClock
  ) throws(SegmentationError) -> SegmentationStage {
    self.ticks = ticks
    wasWidened = false
    crop?.recovery?.advance(by: ticks)
    crop?.crossCheck?.advance(by: ticks)
    exposure.adapt(to: picture, after: ticks)
    defer { hasPast = true }
    let stage = try runPasses(on: frame, picture, out, &clock)
    seenRegion = crop == nil || personCrops.areUsed ? self.frame : cropTracker.region
    let isFirst = !hasPast && warmUpInferences > 0
    // Two networks with an approximate edge agree on things that are not people, such as clocks.
    guard let crop, edge == .exact, isFirst || search.isDue, people.find(in: out) == nil,
      try searchTiles(crop, frame, picture, tiles: isFirst ? search.count : 1, out, &clock)
    else { return stage }
    return crop.stage
  }

  /// Writes the matte of the people who are in the crop, or are found at once, to `out`.
  private func runPasses(
    on frame: Frame, _ picture: Frame, _ out: Raster<UInt8>, _ clock: inout StageClock
  ) throws(SegmentationError) -> SegmentationStage {
    guard let crop else {
      if !hasPast, wholeFrame.segmenter.remembersPast {
        for _ in 0..<warmUpInferences { try run(wholeFrame, picture, &clock) }
      }
      return try show(wholeFrame, picture, out, &clock)
    }
    ticksSinceFullFrame += ticks
    let seesParts = !cropTracker.isWhole || personCrops.areUsed
    let fullFrameRan = !hasPast || seesParts && ticksSinceFullFrame >= Self.fullFrameInterval
    if fullFrameRan { try runFullFrame(crop, picture, &clock) }
    if personCrops.areUsed {
      try runPersonPasses(crop, frame, picture, out, &clock)
      return crop.stage
    }
    let sharesNetwork = crop.shares(wholeFrame)
    if cropTracker.isWhole, !sharesNetwork {
      let isReady = fullFrameRan && crop.overview === wholeFrame
      return try runFullFrameForMatte(crop, isReady: isReady, frame, picture, out, &clock)
    }
    if !hasPast {
      // The coarser network finds what the crop's network misses, in a crop that shows it. In the
      // dark the full-frame pass takes too much of the room for people.
      let seen =
        crop.smaller == nil || exposure.isDark ? nil : people.find(in: crop.limit.matte)
      // The first pass finds the crop for the next one. A network with a memory gains by each.
      for _ in 0..<(crop.stage.segmenter.remembersPast ? warmUpInferences : 1) {
        try show(crop.stage, cropTracker.region, frame, picture, out, &clock)
        updateCrop { $0.follow(people.find(in: out), isNew: true) }
        // The network forgets that it saw no person in the part that the new crop adds.
        updateCrop { $0.include(seen) }
      }
      if cropTracker.isWhole, !sharesNetwork {
        return try runFullFrameForMatte(crop, frame, picture, out, &clock)
      }
    }
    guard try runCropPasses(crop, frame, picture, out, &clock) else { return crop.stage }
    // A crop pass can take furniture at its edge for a person. A full-frame pass shows more of it.
    if !fullFrameRan {
      let before = cropTracker.region
      try runFullFrame(crop, picture, &clock)
      wasWidened = cropTracker.region != before
    }
    if wasWidened {
      if cropTracker.isWhole, !sharesNetwork {
        return try runFullFrameForMatte(crop, frame, picture, out, &clock)
      }
      _ = try runCropPasses(crop, frame, picture, out, &clock)
    } else {
      crop.limit.apply(to: out)
    }
    return crop.stage
  }

  /// Chooses the crop for the next frame by the matte of this one.
  func recordPeople(in matte: Raster<UInt8>) {
    guard let crop else { return }
    let found = people.find(in: matte)
    search.record(findsPeople: found != nil, after: ticks)
    updateCrop { $0.follow(found, after: ticks, isNew: wasWidened) }
    if !crop.stage.segmenter.remembersPast {
      personCrops.follow(people.apart, in: cropTracker.region, after: ticks)
    }
  }

  /// Writes the matte of the full frame, unless it `isReady`, and cross-checks it if that is due.
  private func runFullFrameForMatte(
    _ crop: CropStages, isReady: Bool = false, _ frame: Frame, _ picture: Frame,
    _ out: Raster<UInt8>, _ clock: inout StageClock
  ) throws(SegmentationError) -> SegmentationStage {
    if !isReady { try run(wholeFrame, picture, &clock) }
    wholeFrame.place(into: out)
    try check(out, by: crop.stage, crop.crossCheck, cropTracker.region, frame, picture, &clock)
    return wholeFrame
  }

  /// Runs a crop pass, and in the dark a cross-check if that is due.
  private func runCropPass(
    _ crop: CropStages, _ region: PixelRegion, _ frame: Frame, _ picture: Frame,
    _ out: Raster<UInt8>, _ clock: inout StageClock
  ) throws(SegmentationError) {
    try show(crop.stage, region, frame, picture, out, &clock)
    // In the light the crop's network alone follows a small, fast person better.
    guard exposure.isDark else { return }
    try check(out, by: wholeFrame, crop.crossCheck, region, frame, picture, &clock)
  }

  /// Limits the matte of a crop to the parts that a second network finds there, if that is due.
  private func check(
    _ matte: Raster<UInt8>, by second: SegmentationStage, _ crossCheck: CrossCheck?,
    _ region: PixelRegion, _ frame: Frame, _ picture: Frame, _ clock: inout StageClock
  ) throws(SegmentationError) {
    guard let crossCheck, crossCheck.isDue else { return }
    try show(second, region, frame, picture, crossCheck.matte, &clock)
    crossCheck.limit(matte)
  }

  /// Runs a pass on the crop, and one at the smaller size if that is due.
  ///
  /// Returns whether a person extends beyond the crop.
  private func runCropPasses(
    _ crop: CropStages, _ frame: Frame, _ picture: Frame, _ out: Raster<UInt8>,
    _ clock: inout StageClock
  ) throws(SegmentationError) -> Bool {
    try runCropPass(crop, cropTracker.region, frame, picture, out, &clock)
    let isCutOff = crop.stage.isCutOff(in: self.frame)
    guard let coarse = crop.smaller, let recovery = crop.recovery, recovery.isDue
    else { return isCutOff }
    for _ in 0...(hasPast ? 0 : warmUpInferences) {
      try infer(coarse, cropTracker.region, frame, picture, &clock)
    }
    coarse.place(into: recovery.matte)
    let isRestored = recovery.restore(to: out, of: cropTracker.region)
    return isCutOff || isRestored && coarse.isCutOff(in: self.frame)
  }

  /// Runs a full-frame pass, and corrects the crop by its matte.
  private func runFullFrame(
    _ crop: CropStages, _ picture: Frame, _ clock: inout StageClock
  ) throws(SegmentationError) {
    ticksSinceFullFrame = 0
    try run(crop.overview, picture, &clock)
    crop.limit.update(from: crop.overview)
    let found = people.find(in: crop.limit.matte)
    personCrops.include(people.apart)
    let isFirst = !hasPast
    updateCrop { isFirst ? $0.follow(found, isNew: true) : $0.include(found) }
  }

  /// Searches tiles of the frame for people who are too small for a full-frame pass.
  ///
  /// Writes their matte to `out` and returns whether there are any.
  private func searchTiles(
    _ crop: CropStages, _ frame: Frame, _ picture: Frame, tiles: Int, _ out: Raster<UInt8>,
    _ clock: inout StageClock
  ) throws(SegmentationError) -> Bool {
    for _ in 0..<tiles {
      try infer(crop.overview, search.nextTile(), frame, picture, &clock)
      crop.limit.update(from: crop.overview)
      // Furniture in a tile can look like a person, so both networks must be sure.
      guard let found = people.find(in: crop.limit.matte), !people.apart.isEmpty
      else { continue }
      updateCrop { $0.follow(found, isNew: true) }
      try show(crop.stage, cropTracker.region, frame, picture, out, &clock)
      if let seen = people.find(in: out), !people.apart.isEmpty, seen.overlaps(found) {
        return true
      }
      // Do not reset the network of the crop: without a memory it takes more of the room for people
      // than with the memory of this tile.
      updateCrop { $0.reset() }
      crop.smaller?.segmenter.reset()
      out.fill(with: 0)
    }
    return false
  }

  private func updateCrop(_ change: (inout CropTracker) -> Void) {
    let old = cropTracker.region
    change(&cropTracker)
    guard cropTracker.region != old else { return }
    crop?.stage.segmenter.movePast(from: old, to: cropTracker.region)
    crop?.smaller?.segmenter.movePast(from: old, to: cropTracker.region)
  }

  /// Runs a network on the full frame, and writes its matte to `out`.
  private func show(
    _ stage: SegmentationStage, _ picture: Frame, _ out: Raster<UInt8>, _ clock: inout StageClock
  ) throws(SegmentationError) -> SegmentationStage {
    try run(stage, picture, &clock)
    stage.place(into: out)
    return stage
  }

  private func run(
    _ stage: SegmentationStage, _ picture: Frame, _ clock: inout StageClock
  ) throws(SegmentationError) {
    try stage.infer(frame, of: picture, shift: shift, clock: &clock)
  }

  /// Runs a network on a crop, and writes its matte to `out`.
  private func show(
    _ stage: SegmentationStage, _ region: PixelRegion, _ frame: Frame, _ picture: Frame,
    _ out: Raster<UInt8>, _ clock: inout StageClock
  ) throws(SegmentationError) {
    try infer(stage, region, frame, picture, &clock)
    stage.place(into: out)
  }

  /// Runs a network on a crop.
  private func infer(
    _ stage: SegmentationStage, _ region: PixelRegion, _ frame: Frame, _ picture: Frame,
    _ clock: inout StageClock
  ) throws(SegmentationError) {
    let tensor = stage.segmenter.inputFormat
    // A little less than the size of the network's input is enough.
    let wanted = ReducedFrame.shift(
      for: region, coveringWidth: tensor.width, height: tensor.height)
    if wanted < shift, let detail {
      try stage.infer(
        region, of: detail.reduce(frame, part: region), shift: detail.shift, clock: &clock)
    } else {
      try stage.infer(region, of: picture, shift: shift, clock: &clock)
    }
  }

  /// Runs a crop pass for each person.
  ///
  /// If crops overlap, the greater alpha counts.
  private func runPersonPasses(
    _ crop: CropStages, _ frame: Frame, _ picture: Frame, _ out: Raster<UInt8>,
    _ clock: inout StageClock
  ) throws(SegmentationError) {
    for (i, person) in personCrops.crops.enumerated() {
      let matte = i == 0 ? out : crop.part
      try runCropPass(crop, person.region, frame, picture, matte, &clock)
      guard i > 0 else { continue }
      for y in 0..<out.height {
        unsafe kernels.maximumRow(out.row(y), matte.row(y), out.row(y), out.width)
      }
    }
  }
}
