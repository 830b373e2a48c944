import InferenceTypes
import PixelTypes

/// Runs the networks of a stream on the parts of its frames that people are in.
///
/// Made for one frame format; used on one thread at a time.
final class FrameSegmentation {
  /// Whether a frame was looked at since the past was last forgotten.
  private(set) var hasPast = false
  /// The part of the frame that the last matte shows.
  private(set) var seenRegion: PixelRegion

  /// A network with a memory runs this often on the first frame before its matte is used.
  ///
  /// Of 22 first frames MAD was 4.6 with four, and 5.3 with none.
  private static let maxWarmUpInferences = 4
  /// Ticks from one run of the overview network to the next: so late is somebody seen who comes in.
  private static let fullFrameInterval = MatteClock.ticks(seconds: 0.13)

  private let kernels: any RowKernels.Type
  private let frame: PixelRegion
  private let shift: Int
  private let exposure: LowLightCurve
  private let wholeFrame: SegmentationStage
  private let crop: CropStages?
  /// The frame at twice the size of the reduced one, for views that would be too coarse there.
  private let detail: ReducedFrame?
  private let people: PeopleBounds
  private var view: CropTracker
  private var personCrops: PersonCrops
  private var search: TileSearch
  private var warmUpInferences = maxWarmUpInferences
  private var ticks = 1
  private var ticksSinceFullFrame = 0
  /// Whether the view was too small for this frame: the wider one is a guess.
  private var wasWidened = false

  /// The networks for a part of the frame.
  private struct CropStages {
    /// The network that the view is shown to.
    let stage: SegmentationStage
    /// The same network at a smaller size, which runs once a second, or nil if it has one size.
    let smaller: SegmentationStage?
    let overview: SegmentationStage
    let limit: FullFrameLimit
    /// The matte of one view, where there are several.
    let part: Raster<UInt8>
    /// Where the two networks see the same; nil where there are no two, or one of them remembers what
    /// it saw.
    let crossCheck: CrossCheck?
    /// What the close-up's network at a smaller size finds that it has lost; nil where it has one size.
    let recovery: LowResolutionRecovery?

    /// Whether the close-up's network has one matte at a time for both.
    func shares(_ other: SegmentationStage) -> Bool { stage.segmenter === other.segmenter }
  }

  /// Makes tables and buffers for frames of `format` that are given as reduced by `1 << shift`, too,
  /// and for mattes on `grid`.
  init(
    _ segmenters: Segmenters, format: FrameFormat, shift: Int, grid: MatteGrid, bands: Bands,
    steps: MatteSteps, runningInferences: RunningInferences, kernels: any RowKernels.Type
  ) {
    frame = PixelRegion(wholeOf: format)
    seenRegion = frame
    self.shift = shift
    let leastShift = segmenters.crop == nil ? shift : max(shift - 1, 0)
    detail =
      leastShift == shift
      ? nil
      : ReducedFrame(format: format, shift: leastShift, bands: bands, kernels: kernels)
    let exposure = LowLightCurve(format.colorimetry)
    self.exposure = exposure
    func stage(_ segmenter: any Segmenter) -> SegmentationStage {
      SegmentationStage(
        segmenter, format: format, leastShift: leastShift, grid: grid, exposure: exposure,
        runningInferences: runningInferences, kernels: kernels)
    }
    let wholeFrame = stage(segmenters.wholeFrame)
    self.wholeFrame = wholeFrame
    crop = segmenters.crop.map { crop in
      func shared(_ segmenter: any Segmenter) -> SegmentationStage {
        segmenter === segmenters.wholeFrame ? wholeFrame : stage(segmenter)
      }
      // A network that sees the whole frame in between would have to find its aim again each time.
      let isSteady = crop.segmenter !== crop.overview
      let remembersPast = crop.segmenter.remembersPast
      let canAgree =
        crop.segmenter !== segmenters.wholeFrame && !remembersPast
        && !segmenters.wholeFrame.remembersPast
      return CropStages(
        stage: isSteady ? shared(crop.segmenter) : stage(crop.segmenter),
        smaller: crop.coarse.map(stage),
        overview: shared(crop.overview), limit: FullFrameLimit(grid: grid, kernels: kernels),
        part: Raster(
          width: remembersPast ? 0 : grid.width, height: grid.height, filledWith: 0),
        crossCheck: canAgree && steps.contains(.crossCheck)
          ? CrossCheck(grid: grid, kernels: kernels) : nil,
        recovery: steps.contains(.recovery) && crop.coarse != nil
          ? LowResolutionRecovery(grid: grid, kernels: kernels) : nil)
    }
    let closest = (segmenters.crop?.segmenter ?? segmenters.wholeFrame).inputFormat
    view = CropTracker(
      format: format, aspect: Double(closest.width) / Double(closest.height),
      framing: segmenters.crop?.framing ?? Framing(margin: 0, maxShare: 0))
    personCrops = PersonCrops(view)
    search = TileSearch(format: format, interval: Self.fullFrameInterval)
    people = PeopleBounds(format: format, grid: grid)
    self.kernels = kernels
  }

  /// How well the mattes follow the edge of the person.
  var edge: MatteEdge { (crop?.stage ?? wholeFrame).segmenter.edge }

  /// Forgets what was remembered of earlier frames.
  ///
  /// Where others showed frames before, which must not wait now, the network does not warm up.
  func reset(warmsUp: Bool = true) {
    warmUpInferences = warmsUp ? Self.maxWarmUpInferences : 0
    wholeFrame.segmenter.reset()
    crop?.stage.segmenter.reset()
    crop?.smaller?.segmenter.reset()
    crop?.overview.segmenter.reset()
    crop?.recovery?.reset()
    crop?.crossCheck?.reset()
    exposure.reset()
    view.reset()
    personCrops.reset()
    search.reset()
    hasPast = false
  }

  /// Puts the matte of a frame into `out`, on the grid; returns the network that it is from.
  ///
  /// `picture` is the reduced frame, so many ticks after the one before. Throws `SegmentationError`
  /// when an inference fails or its result does not fit the network's input.
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
    let stage = try look(at: frame, picture, out, &clock)
    seenRegion = crop == nil || personCrops.areUsed ? self.frame : view.view
    let isFirst = !hasPast && warmUpInferences > 0
    // Two networks whose edge is approximate take a clock on the wall for a head.
    guard let crop, edge == .exact, isFirst || search.isDue, people.find(in: out) == nil,
      try searchPeople(crop, frame, picture, parts: isFirst ? search.count : 1, out, &clock)
    else { return stage }
    return crop.stage
  }

  /// Puts the matte of the people who were seen before, or are seen at once, into `out`.
  private func look(
    at frame: Frame, _ picture: Frame, _ out: Raster<UInt8>, _ clock: inout StageClock
  ) throws(SegmentationError) -> SegmentationStage {
    guard let crop else {
      if !hasPast, wholeFrame.segmenter.remembersPast {
        for _ in 0..<warmUpInferences { try run(wholeFrame, picture, &clock) }
      }
      return try show(wholeFrame, picture, out, &clock)
    }
    ticksSinceFullFrame += ticks
    let seesParts = !view.isWhole || personCrops.areUsed
    let fullFrameRan = !hasPast || seesParts && ticksSinceFullFrame >= Self.fullFrameInterval
    if fullFrameRan { try runFullFrame(crop, picture, &clock) }
    if personCrops.areUsed {
      try showPeople(crop, frame, picture, out, &clock)
      return crop.stage
    }
    let sharesNetwork = crop.shares(wholeFrame)
    if view.isWhole, !sharesNetwork {
      let isReady = fullFrameRan && crop.overview === wholeFrame
      return try showWhole(crop, isReady: isReady, frame, picture, out, &clock)
    }
    if !hasPast {
      // What the close-up's network loses the coarser one finds, in a view that shows it. In the dark
      // the overview takes too much of the room for people.
      let seen =
        crop.smaller == nil || exposure.isDark ? nil : people.find(in: crop.limit.matte)
      // The first inference finds the view for the next one; a network with a memory gains by each.
      for _ in 0..<(crop.stage.segmenter.remembersPast ? warmUpInferences : 1) {
        try show(crop.stage, view.view, frame, picture, out, &clock)
        moveView { $0.follow(people.find(in: out), isNew: true) }
        // Of what lies between the two views the network forgets that it saw nobody.
        moveView { $0.include(seen) }
      }
      if view.isWhole, !sharesNetwork {
        return try showWhole(crop, frame, picture, out, &clock)
      }
    }
    guard try showView(crop, frame, picture, out, &clock) else { return crop.stage }
    // At its edge a close-up takes furniture for people now and then: the overview sees more of it.
    if !fullFrameRan {
      let before = view.view
      try runFullFrame(crop, picture, &clock)
      wasWidened = view.view != before
    }
    if wasWidened {
      if view.isWhole, !sharesNetwork {
        return try showWhole(crop, frame, picture, out, &clock)
      }
      _ = try showView(crop, frame, picture, out, &clock)
    } else {
      crop.limit.apply(to: out)
    }
    return crop.stage
  }

  /// Chooses the view for the next frame by the finished matte of this one.
  func recordPeople(in matte: Raster<UInt8>) {
    guard let crop else { return }
    let found = people.find(in: matte)
    search.note(seesPeople: found != nil, after: ticks)
    moveView { $0.follow(found, after: ticks, isNew: wasWidened) }
    if !crop.stage.segmenter.remembersPast {
      personCrops.follow(people.apart, in: view.view, after: ticks)
    }
  }

  /// Runs the whole frame's network, unless its matte `isReady`, and the close-up's where that is due.
  private func showWhole(
    _ crop: CropStages, isReady: Bool = false, _ frame: Frame, _ picture: Frame,
    _ out: Raster<UInt8>, _ clock: inout StageClock
  ) throws(SegmentationError) -> SegmentationStage {
    if !isReady { try run(wholeFrame, picture, &clock) }
    wholeFrame.place(into: out)
    try check(out, by: crop.stage, crop.crossCheck, view.view, frame, picture, &clock)
    return wholeFrame
  }

  /// Runs the close-up's network on the view of somebody, and in the dark the whole frame's where that
  /// is due.
  private func showCloseUp(
    _ crop: CropStages, _ view: PixelRegion, _ frame: Frame, _ picture: Frame,
    _ out: Raster<UInt8>, _ clock: inout StageClock
  ) throws(SegmentationError) {
    try show(crop.stage, view, frame, picture, out, &clock)
    // In the light the close-up's alone follows someone small and fast better.
    guard exposure.isDark else { return }
    try check(out, by: wholeFrame, crop.crossCheck, view, frame, picture, &clock)
  }

  /// Limits the matte of a view to what a second network sees there, where that is due.
  private func check(
    _ matte: Raster<UInt8>, by second: SegmentationStage, _ crossCheck: CrossCheck?,
    _ view: PixelRegion, _ frame: Frame, _ picture: Frame, _ clock: inout StageClock
  ) throws(SegmentationError) {
    guard let crossCheck, crossCheck.isDue else { return }
    try show(second, view, frame, picture, crossCheck.matte, &clock)
    crossCheck.limit(matte)
  }

  /// Runs the close-up's network on the view, and at the smaller size where that is due; returns
  /// whether the person goes on beyond the view.
  private func showView(
    _ crop: CropStages, _ frame: Frame, _ picture: Frame, _ out: Raster<UInt8>,
    _ clock: inout StageClock
  ) throws(SegmentationError) -> Bool {
    try showCloseUp(crop, view.view, frame, picture, out, &clock)
    let isCutOff = crop.stage.isCutOff(in: self.frame)
    guard let coarse = crop.smaller, let recovery = crop.recovery, recovery.isDue
    else { return isCutOff }
    for _ in 0...(hasPast ? 0 : warmUpInferences) {
      try infer(coarse, view.view, frame, picture, &clock)
    }
    coarse.place(into: recovery.matte)
    let isRestored = recovery.restore(to: out, of: view.view)
    return isCutOff || isRestored && coarse.isCutOff(in: self.frame)
  }

  /// Runs the overview network, and corrects the view by its matte.
  private func runFullFrame(
    _ crop: CropStages, _ picture: Frame, _ clock: inout StageClock
  ) throws(SegmentationError) {
    ticksSinceFullFrame = 0
    try run(crop.overview, picture, &clock)
    crop.limit.take(crop.overview)
    let found = people.find(in: crop.limit.matte)
    personCrops.include(people.apart)
    let isFirst = !hasPast
    moveView { isFirst ? $0.follow(found, isNew: true) : $0.include(found) }
  }

  /// Looks at some parts of the frame for people who are too small to be seen in the whole of it, and
  /// puts their matte into `out`; returns false where there are none.
  private func searchPeople(
    _ crop: CropStages, _ frame: Frame, _ picture: Frame, parts: Int, _ out: Raster<UInt8>,
    _ clock: inout StageClock
  ) throws(SegmentationError) -> Bool {
    for _ in 0..<parts {
      try infer(crop.overview, search.nextPart(), frame, picture, &clock)
      crop.limit.take(crop.overview)
      // Furniture looks like a person from near now and then: both networks have to be sure.
      guard let found = people.find(in: crop.limit.matte), !people.apart.isEmpty
      else { continue }
      moveView { $0.follow(found, isNew: true) }
      try show(crop.stage, view.view, frame, picture, out, &clock)
      if let seen = people.find(in: out), !people.apart.isEmpty, seen.overlaps(found) {
        return true
      }
      // A network that forgot all now would take more of the room for people than one that remembers
      // this part alone.
      moveView { $0.reset() }
      crop.smaller?.segmenter.reset()
      out.fill(with: 0)
    }
    return false
  }

  private func moveView(_ change: (inout CropTracker) -> Void) {
    let old = view.view
    change(&view)
    guard view.view != old else { return }
    crop?.stage.segmenter.movePast(from: old, to: view.view)
    crop?.smaller?.segmenter.movePast(from: old, to: view.view)
  }

  /// Runs a network on the whole frame, and places its matte.
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

  /// Runs a network on a view, and places its matte.
  private func show(
    _ stage: SegmentationStage, _ view: PixelRegion, _ frame: Frame, _ picture: Frame,
    _ out: Raster<UInt8>, _ clock: inout StageClock
  ) throws(SegmentationError) {
    try infer(stage, view, frame, picture, &clock)
    stage.place(into: out)
  }

  /// Runs a network on a view.
  private func infer(
    _ stage: SegmentationStage, _ view: PixelRegion, _ frame: Frame, _ picture: Frame,
    _ clock: inout StageClock
  ) throws(SegmentationError) {
    let tensor = stage.segmenter.inputFormat
    // A little less than the network could take is enough.
    let wanted = ReducedFrame.shift(
      for: view, coveringWidth: tensor.width, height: tensor.height)
    if wanted < shift, let detail {
      try stage.infer(
        view, of: detail.reduce(frame, part: view), shift: detail.shift, clock: &clock)
    } else {
      try stage.infer(view, of: picture, shift: shift, clock: &clock)
    }
  }

  /// Runs the close-up's network on each of the people; where views overlap the greater alpha counts.
  private func showPeople(
    _ crop: CropStages, _ frame: Frame, _ picture: Frame, _ out: Raster<UInt8>,
    _ clock: inout StageClock
  ) throws(SegmentationError) {
    for (i, person) in personCrops.views.enumerated() {
      let matte = i == 0 ? out : crop.part
      try showCloseUp(crop, person.view, frame, picture, matte, &clock)
      guard i > 0 else { continue }
      for y in 0..<out.height {
        unsafe kernels.maximumRow(out.row(y), matte.row(y), out.row(y), out.width)
      }
    }
  }
}
