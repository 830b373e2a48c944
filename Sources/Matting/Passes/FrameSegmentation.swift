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
  private static let mostWarmUpInferences = 4
  /// Ticks from one run of the overview network to the next: so late is somebody seen who comes in.
  private static let overviewInterval = MatteClock.ticks(seconds: 0.13)

  private let kernels: any RowKernels.Type
  private let frame: PixelRegion
  private let shift: Int
  private let exposure: Exposure
  private let wholeFrame: SegmentationStage
  private let closeUp: CloseUpStages?
  /// The frame at twice the size of the reduced one, for views that would be too coarse there.
  private let detail: ReducedFrame?
  private let people: PeopleBounds
  private var view: ViewTracking
  private var personViews: PersonViews
  private var search: PeopleSearch
  private var warmUpInferences = mostWarmUpInferences
  private var ticks = 1
  private var ticksSinceOverview = 0
  /// Whether the view was too small for this frame: the wider one is a guess.
  private var wasWidened = false

  /// The networks for a part of the frame.
  private struct CloseUpStages {
    /// The network that the view is shown to.
    let stage: SegmentationStage
    /// The same network at a smaller size, which runs once a second, or nil if it has one size.
    let smaller: SegmentationStage?
    let overview: SegmentationStage
    let limit: OverviewLimit
    /// The matte of one view, where there are several.
    let part: Raster<UInt8>
    /// Where the two networks see the same; nil where there are no two, or one of them remembers what
    /// it saw.
    let agreement: Agreement?
    /// What the close-up's network at a smaller size finds that it has lost; nil where it has one size.
    let lostParts: LostParts?

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
    let leastShift = segmenters.closeUp == nil ? shift : max(shift - 1, 0)
    detail =
      leastShift == shift
      ? nil
      : ReducedFrame(format: format, shift: leastShift, bands: bands, kernels: kernels)
    let exposure = Exposure(format.colorimetry)
    self.exposure = exposure
    func stage(_ segmenter: any Segmenter) -> SegmentationStage {
      SegmentationStage(
        segmenter, format: format, leastShift: leastShift, grid: grid, exposure: exposure,
        runningInferences: runningInferences, kernels: kernels)
    }
    let wholeFrame = stage(segmenters.wholeFrame)
    self.wholeFrame = wholeFrame
    closeUp = segmenters.closeUp.map { closeUp in
      func shared(_ segmenter: any Segmenter) -> SegmentationStage {
        segmenter === segmenters.wholeFrame ? wholeFrame : stage(segmenter)
      }
      // A network that sees the whole frame in between would have to find its aim again each time.
      let isSteady = closeUp.segmenter !== closeUp.overview
      let remembersPast = closeUp.segmenter.remembersPast
      let canAgree =
        closeUp.segmenter !== segmenters.wholeFrame && !remembersPast
        && !segmenters.wholeFrame.remembersPast
      return CloseUpStages(
        stage: isSteady ? shared(closeUp.segmenter) : stage(closeUp.segmenter),
        smaller: closeUp.coarse.map(stage),
        overview: shared(closeUp.overview), limit: OverviewLimit(grid: grid, kernels: kernels),
        part: Raster(
          width: remembersPast ? 0 : grid.width, height: grid.height, filledWith: 0),
        agreement: canAgree && steps.contains(.agreement)
          ? Agreement(grid: grid, kernels: kernels) : nil,
        lostParts: steps.contains(.lostParts) && closeUp.coarse != nil
          ? LostParts(grid: grid, kernels: kernels) : nil)
    }
    let closest = (segmenters.closeUp?.segmenter ?? segmenters.wholeFrame).inputFormat
    view = ViewTracking(
      format: format, aspect: Double(closest.width) / Double(closest.height),
      framing: segmenters.closeUp?.framing ?? Framing(margin: 0, greatestShare: 0))
    personViews = PersonViews(view)
    search = PeopleSearch(format: format, interval: Self.overviewInterval)
    people = PeopleBounds(format: format, grid: grid)
    self.kernels = kernels
  }

  /// How well the mattes follow the edge of the person.
  var edge: MatteEdge { (closeUp?.stage ?? wholeFrame).segmenter.edge }

  /// Forgets what was remembered of earlier frames.
  ///
  /// Where others showed frames before, which must not wait now, the network does not warm up.
  func reset(warmsUp: Bool = true) {
    warmUpInferences = warmsUp ? Self.mostWarmUpInferences : 0
    wholeFrame.segmenter.reset()
    closeUp?.stage.segmenter.reset()
    closeUp?.smaller?.segmenter.reset()
    closeUp?.overview.segmenter.reset()
    closeUp?.lostParts?.reset()
    closeUp?.agreement?.reset()
    exposure.reset()
    view.reset()
    personViews.reset()
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
    closeUp?.lostParts?.advance(by: ticks)
    closeUp?.agreement?.advance(by: ticks)
    exposure.adapt(to: picture, after: ticks)
    defer { hasPast = true }
    let stage = try look(at: frame, picture, out, &clock)
    seenRegion = closeUp == nil || personViews.areUsed ? self.frame : view.view
    let isFirst = !hasPast && warmUpInferences > 0
    // Two networks whose edge is approximate take a clock on the wall for a head.
    guard let closeUp, edge == .exact, isFirst || search.isDue, people.find(in: out) == nil,
      try searchPeople(closeUp, frame, picture, parts: isFirst ? search.count : 1, out, &clock)
    else { return stage }
    return closeUp.stage
  }

  /// Puts the matte of the people who were seen before, or are seen at once, into `out`.
  private func look(
    at frame: Frame, _ picture: Frame, _ out: Raster<UInt8>, _ clock: inout StageClock
  ) throws(SegmentationError) -> SegmentationStage {
    guard let closeUp else {
      if !hasPast, wholeFrame.segmenter.remembersPast {
        for _ in 0..<warmUpInferences { try run(wholeFrame, picture, &clock) }
      }
      return try show(wholeFrame, picture, out, &clock)
    }
    ticksSinceOverview += ticks
    let seesParts = !view.isWhole || personViews.areUsed
    let overviewRan = !hasPast || seesParts && ticksSinceOverview >= Self.overviewInterval
    if overviewRan { try runOverview(closeUp, picture, &clock) }
    if personViews.areUsed {
      try showPeople(closeUp, frame, picture, out, &clock)
      return closeUp.stage
    }
    let sharesNetwork = closeUp.shares(wholeFrame)
    if view.isWhole, !sharesNetwork {
      let isReady = overviewRan && closeUp.overview === wholeFrame
      return try showWhole(closeUp, isReady: isReady, frame, picture, out, &clock)
    }
    if !hasPast {
      // What the close-up's network loses the coarser one finds, in a view that shows it. In the dark
      // the overview takes too much of the room for people.
      let seen =
        closeUp.smaller == nil || exposure.isDark ? nil : people.find(in: closeUp.limit.matte)
      // The first inference finds the view for the next one; a network with a memory gains by each.
      for _ in 0..<(closeUp.stage.segmenter.remembersPast ? warmUpInferences : 1) {
        try show(closeUp.stage, view.view, frame, picture, out, &clock)
        moveView { $0.follow(people.find(in: out), isNew: true) }
        // Of what lies between the two views the network forgets that it saw nobody.
        moveView { $0.include(seen) }
      }
      if view.isWhole, !sharesNetwork {
        return try showWhole(closeUp, frame, picture, out, &clock)
      }
    }
    guard try showView(closeUp, frame, picture, out, &clock) else { return closeUp.stage }
    // At its edge a close-up takes furniture for people now and then: the overview sees more of it.
    if !overviewRan {
      let before = view.view
      try runOverview(closeUp, picture, &clock)
      wasWidened = view.view != before
    }
    if wasWidened {
      if view.isWhole, !sharesNetwork {
        return try showWhole(closeUp, frame, picture, out, &clock)
      }
      _ = try showView(closeUp, frame, picture, out, &clock)
    } else {
      closeUp.limit.apply(to: out)
    }
    return closeUp.stage
  }

  /// Chooses the view for the next frame by the finished matte of this one.
  func followPeople(in matte: Raster<UInt8>) {
    guard let closeUp else { return }
    let found = people.find(in: matte)
    search.note(seesPeople: found != nil, after: ticks)
    moveView { $0.follow(found, after: ticks, isNew: wasWidened) }
    if !closeUp.stage.segmenter.remembersPast {
      personViews.follow(people.apart, in: view.view, after: ticks)
    }
  }

  /// Runs the whole frame's network, unless its matte `isReady`, and the close-up's where that is due.
  private func showWhole(
    _ closeUp: CloseUpStages, isReady: Bool = false, _ frame: Frame, _ picture: Frame,
    _ out: Raster<UInt8>, _ clock: inout StageClock
  ) throws(SegmentationError) -> SegmentationStage {
    if !isReady { try run(wholeFrame, picture, &clock) }
    wholeFrame.place(into: out)
    try check(out, by: closeUp.stage, closeUp.agreement, view.view, frame, picture, &clock)
    return wholeFrame
  }

  /// Runs the close-up's network on the view of somebody, and in the dark the whole frame's where that
  /// is due.
  private func showCloseUp(
    _ closeUp: CloseUpStages, _ view: PixelRegion, _ frame: Frame, _ picture: Frame,
    _ out: Raster<UInt8>, _ clock: inout StageClock
  ) throws(SegmentationError) {
    try show(closeUp.stage, view, frame, picture, out, &clock)
    // In the light the close-up's alone follows someone small and fast better.
    guard exposure.isDark else { return }
    try check(out, by: wholeFrame, closeUp.agreement, view, frame, picture, &clock)
  }

  /// Limits the matte of a view to what a second network sees there, where that is due.
  private func check(
    _ matte: Raster<UInt8>, by second: SegmentationStage, _ agreement: Agreement?,
    _ view: PixelRegion, _ frame: Frame, _ picture: Frame, _ clock: inout StageClock
  ) throws(SegmentationError) {
    guard let agreement, agreement.isDue else { return }
    try show(second, view, frame, picture, agreement.matte, &clock)
    agreement.limit(matte)
  }

  /// Runs the close-up's network on the view, and at the smaller size where that is due; returns
  /// whether the person goes on beyond the view.
  private func showView(
    _ closeUp: CloseUpStages, _ frame: Frame, _ picture: Frame, _ out: Raster<UInt8>,
    _ clock: inout StageClock
  ) throws(SegmentationError) -> Bool {
    try showCloseUp(closeUp, view.view, frame, picture, out, &clock)
    let isCutOff = closeUp.stage.isCutOff(in: self.frame)
    guard let coarse = closeUp.smaller, let lostParts = closeUp.lostParts, lostParts.isDue
    else { return isCutOff }
    for _ in 0...(hasPast ? 0 : warmUpInferences) {
      try infer(coarse, view.view, frame, picture, &clock)
    }
    coarse.place(into: lostParts.matte)
    let isRestored = lostParts.restore(to: out, of: view.view)
    return isCutOff || isRestored && coarse.isCutOff(in: self.frame)
  }

  /// Runs the overview network, and corrects the view by its matte.
  private func runOverview(
    _ closeUp: CloseUpStages, _ picture: Frame, _ clock: inout StageClock
  ) throws(SegmentationError) {
    ticksSinceOverview = 0
    try run(closeUp.overview, picture, &clock)
    closeUp.limit.take(closeUp.overview)
    let found = people.find(in: closeUp.limit.matte)
    personViews.include(people.apart)
    let isFirst = !hasPast
    moveView { isFirst ? $0.follow(found, isNew: true) : $0.include(found) }
  }

  /// Looks at some parts of the frame for people who are too small to be seen in the whole of it, and
  /// puts their matte into `out`; returns false where there are none.
  private func searchPeople(
    _ closeUp: CloseUpStages, _ frame: Frame, _ picture: Frame, parts: Int, _ out: Raster<UInt8>,
    _ clock: inout StageClock
  ) throws(SegmentationError) -> Bool {
    for _ in 0..<parts {
      try infer(closeUp.overview, search.nextPart(), frame, picture, &clock)
      closeUp.limit.take(closeUp.overview)
      // Furniture looks like a person from near now and then: both networks have to be sure.
      guard let found = people.find(in: closeUp.limit.matte), !people.apart.isEmpty
      else { continue }
      moveView { $0.follow(found, isNew: true) }
      try show(closeUp.stage, view.view, frame, picture, out, &clock)
      if let seen = people.find(in: out), !people.apart.isEmpty, seen.overlaps(found) {
        return true
      }
      // A network that forgot all now would take more of the room for people than one that remembers
      // this part alone.
      moveView { $0.reset() }
      closeUp.smaller?.segmenter.reset()
      out.fill(with: 0)
    }
    return false
  }

  private func moveView(_ change: (inout ViewTracking) -> Void) {
    let old = view.view
    change(&view)
    guard view.view != old else { return }
    closeUp?.stage.segmenter.movePast(from: old, to: view.view)
    closeUp?.smaller?.segmenter.movePast(from: old, to: view.view)
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
    _ closeUp: CloseUpStages, _ frame: Frame, _ picture: Frame, _ out: Raster<UInt8>,
    _ clock: inout StageClock
  ) throws(SegmentationError) {
    for (i, person) in personViews.views.enumerated() {
      let matte = i == 0 ? out : closeUp.part
      try showCloseUp(closeUp, person.view, frame, picture, matte, &clock)
      guard i > 0 else { continue }
      for y in 0..<out.height {
        unsafe kernels.maximumRow(out.row(y), matte.row(y), out.row(y), out.width)
      }
    }
  }
}
