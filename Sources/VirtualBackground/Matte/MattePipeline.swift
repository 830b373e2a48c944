import InferenceTypes
import PixelTypes

/// From a frame to its matte: prepare the tensor, infer, refine the edge, smooth over time, shape.
///
/// Made for one frame format and one set of networks.
final class MattePipeline {
  /// Reduces frames to one sample per sample of the matte, before they are turned upright.
  let reduced: ReducedFrame
  /// The matte of the last frame.
  private(set) var matte: Matte
  /// Finds the faces by which people who touch are told apart; without, they are shown together.
  ///
  /// Another finder knows them by other numbers.
  var faces: (any FaceFinder)? {
    didSet {
      guard oldValue !== faces else { return }
      if oldValue != nil { division.forgetPast() }
      // The matte that could be moved shows people whom the faces tell apart.
      lastShape = nil
    }
  }

  /// An exact network's samples are farther apart than a picture's edge is wide, and enlarging them
  /// leaves a ramp from one to the next; so much contrast makes up for it where there are
  /// `pixelsOfWideRamp` between them, and none is wanted up to `pixelsOfSharpRamp`.
  private static let contrast = 1.3
  private static let pixelsOfSharpRamp = 1.5, pixelsOfWideRamp = 3.0
  /// An approximate network's edge is wide at any size, and was fitted to the picture's colours.
  private static let refinedContrast: Float = 1.5
  /// A matte is moved for so many nanoseconds at most, four frames of thirty a second: beyond that the
  /// error of the moved edge grows faster than the inferences become fewer.
  private static let longestReuse: UInt64 = 150_000_000
  /// While other streams infer it may be a frame or two more: those that began together then take turns.
  private static let longestReuseInTurn: UInt64 = 200_000_000
  /// For so long a moved matte is still fit to be approached by a new one.
  private static let longestApproach: UInt64 = 250_000_000
  /// Maximum difference in coverage, as a share of the frame, for mattes of a new scene to agree.
  private static let agreeingCoverage = 0.005
  /// A network with a memory, and the smoothing, take so many nanoseconds to settle.
  private static let timeToSettle: UInt64 = 250_000_000

  private let kernels: any RowKernels.Type
  private let runningInferences: RunningInferences
  private let steps: MatteSteps
  private let format: FrameFormat
  private let segmentation: FrameSegmentation
  private let refinement: EdgeRefinement
  private let smoothing: TemporalSmoothing
  private let silhouettes: Silhouettes
  private let division: PeopleDivision
  /// The matte of the last inferred frame.
  private let inferred: Matte
  /// Made when a matte is first used again.
  private var warp: MatteWarp?
  /// Whether `warp` knows the last inferred frame.
  private var warpIsCurrent = false
  /// How well the last inferred matte fits the current frame, or nil before that is known.
  private var fit: MatteWarp.Fit?
  /// After a scene change: whether mattes still settle, and the coverage of the last new matte.
  private var newScene: (isSettling: Bool, coverage: Double?) = (false, nil)
  /// The time of the last frame with a matte, in nanoseconds.
  private var lastTime: UInt64?
  /// Whether the last matte is one of an earlier frame, moved.
  private var isMoved = false
  private let still: StillScene
  /// The settings of the last matte, or nil if it must not be reused.
  private var lastShape: MatteShape?
  private var shaping: EdgeShaping?
  /// The time of the first matte after the past was forgotten, in nanoseconds.
  private var began: UInt64 = 0
  private var clock = MatteClock()
  /// Ticks from the matte before to this one.
  private var ticks = 1
  /// Whether people may be known by whom mattes were divided: those of another pipeline are taken over.
  private var knowsPeople = true
  /// The columns of the last matte that its network saw.
  private var seenColumns = 0..<0
  /// Places the masks from upstream; whether these replaced the networks since their last run.
  private var maskPlacement: MattePlacement?
  private var networksMissedFrames = false

  /// What of the settings a matte depends on.
  private struct MatteShape: Equatable {
    let grow: Double, feather: Double
    let keep: EffectSettings.Keep
    let smoothing: Double

    init(_ settings: EffectSettings) {
      (grow, feather) = (settings.matteGrow, settings.matteFeather)
      (keep, smoothing) = (settings.keep, settings.smoothing)
    }
  }

  /// Makes tables and buffers for frames of `format` and the given networks.
  ///
  /// `source` is the format of the frames before they are turned upright, `format` after that.
  init(
    format: FrameFormat, source: FrameFormat, segmenters: Segmenters, steps: MatteSteps,
    bands: Bands, runningInferences: RunningInferences, kernels: any RowKernels.Type
  ) {
    var segmenters = segmenters
    if !steps.contains(.closeUp) { segmenters.closeUp = nil }
    if !steps.contains(.lostParts) { segmenters.closeUp?.coarse = nil }
    self.kernels = kernels
    self.runningInferences = runningInferences
    self.steps = steps
    self.format = format
    let tensor = segmenters.wholeFrame.inputFormat
    let region = TensorPreparation.region(of: tensor, for: format)
    let shift = ReducedFrame.shift(
      for: PixelRegion(wholeOf: format), coveringWidth: region.width, height: region.height)
    reduced = ReducedFrame(format: source, shift: shift, bands: bands, kernels: kernels)
    let grid = MatteGrid(format: format, shift: shift)
    inferred = Matte(grid: grid)
    matte = inferred
    segmentation = FrameSegmentation(
      segmenters, format: format, shift: shift, grid: grid, bands: bands,
      steps: steps, runningInferences: runningInferences, kernels: kernels)
    refinement = EdgeRefinement(width: grid.width, kernels: kernels)
    smoothing = TemporalSmoothing(width: grid.width, height: grid.height, kernels: kernels)
    silhouettes = Silhouettes(grid: grid)
    division = PeopleDivision(grid: grid)
    still = StillScene(kernels: kernels)
  }

  /// How well the mattes follow the edge of the person.
  var edge: MatteEdge { segmentation.edge }

  /// Forgets what was remembered of earlier frames.
  func forgetPast() {
    forgetPastOfNetworks(warmsUp: true)
    smoothing.forgetPast()
    forgetPeople()
    clock.reset()
  }

  private func forgetPeople() {
    silhouettes.forgetPast()
    division.forgetPast()
    faces?.forgetPast()
  }

  /// Begins after another of the same frames, with other networks: with the people that it knows.
  func begin(after old: MattePipeline) {
    forgetPastOfNetworks(warmsUp: !old.segmentation.hasPast)
    silhouettes.takeOverPeople(from: old.silhouettes)
    division.takeOverPeople(from: old.division)
  }

  private func forgetPastOfNetworks(warmsUp: Bool) {
    segmentation.forgetPast(warmsUp: warmsUp)
    still.forgetPast()
    fit = nil
    newScene = (false, nil)
    networksMissedFrames = false
  }

  /// Makes the matte of `frame`, at `time` nanoseconds, of which `reduced` is the reduction.
  ///
  /// Reports the time of each stage through `clock`. Throws `SegmentationError` when the inference
  /// fails or its result does not fit the network's input; the old matte is then worth nothing.
  func makeMatte(
    of frame: Frame, reduced picture: Frame, at time: UInt64, settings: EffectSettings,
    clock: inout StageClock
  ) throws(SegmentationError) {
    if networksMissedFrames { forgetPastOfNetworks(warmsUp: true) }
    if !segmentation.hasPast { began = time }
    lookForNewScene(in: picture, at: time, settings)
    let moved = isMoved && (fit == .good || fit == .fair) ? warp : nil
    if let moved {
      moved.move(inferred.samples, from: smoothing.picture, to: picture.luma)
      clock.finish(.matte)
    }
    begin(at: time)
    lastShape = MatteShape(settings)
    let stage = try segmentation.makeMatte(
      of: frame, reduced: picture, after: ticks, into: matte.samples, clock: &clock)
    seenColumns = matte.grid.columns(of: segmentation.seenRegion)
    if steps.contains(.edgeRefinement) { refineEdge(of: stage, picture) }
    smoothing.smooth(matte.samples, luma: picture.luma, strength: settings.smoothing)
    segmentation.followPeople(in: matte.samples)
    try divide(frame, picture, at: time, settings)
    finish(settings, &clock)
    if let moved {
      // In one step the difference to the moved mattes before would be seen as flicker. The next moved
      // one is made of this frame's own.
      moved.approach(inferred.samples)
      matte = moved.matte
      clock.finish(.matte)
    }
  }

  /// Makes the matte of `frame`, at `time` and reduced to `picture`, from a mask that was found
  /// upstream.
  ///
  /// It is finished as that of a network that knows the edge about. Throws `SegmentationError` when
  /// people are to be told apart and the inference that finds their faces fails.
  func makeMatte(
    from mask: PersonMask, of frame: Frame, reduced picture: Frame, at time: UInt64,
    settings: EffectSettings, clock: inout StageClock
  ) throws(SegmentationError) {
    networksMissedFrames = true
    lookForNewScene(in: picture, at: time, settings)
    begin(at: time)
    lastShape = MatteShape(settings)
    let (width, height) = (mask.samples.width, mask.samples.height)
    let placement: MattePlacement
    if let maskPlacement, maskPlacement.serves(width: width, height: height) {
      placement = maskPlacement
    } else {
      placement = MattePlacement(
        width: width, height: height, grid: matte.grid, kernels: kernels)
      maskPlacement = placement
    }
    placement.place(mask, into: matte.samples)
    seenColumns = 0..<matte.grid.width
    if steps.contains(.edgeRefinement) {
      refinement.refine(matte.samples, picture: picture, contrast: Self.refinedContrast)
    }
    smoothing.smooth(matte.samples, luma: picture.luma, strength: settings.smoothing)
    try divide(frame, picture, at: time, settings)
    finish(settings, &clock)
  }

  /// Begins a matte of a frame's own.
  private func begin(at time: UInt64) {
    ticks = clock.advance(to: time)
    lastTime = time
    matte = inferred
    warpIsCurrent = false
    (fit, isMoved) = (nil, false)
    lastShape = nil
  }

  /// Requires inferences until two mattes agree if the last matte does not fit `picture`, and forgets
  /// the people if the picture shows another scene.
  ///
  /// Compares the scenes itself only if one of several people is shown. `reuseMatte` may have done so.
  private func lookForNewScene(in picture: Frame, at time: UInt64, _ settings: EffectSettings) {
    let fit = fit ?? (settings.keep == .everyone ? nil : findFit(for: picture, at: time))
    if fit == .poor, !newScene.isSettling { newScene = (true, inferred.coverage) }
    guard fit == .otherScene else { return }
    newScene = (true, nil)
    // After a longer time a moving person looks like another scene.
    if let lastTime, time &- lastTime <= Self.longestReuse { forgetPeople() }
  }

  /// Leaves one of the people whose faces are seen, if that is wanted.
  private func divide(
    _ frame: Frame, _ picture: Frame, at time: UInt64, _ settings: EffectSettings
  ) throws(SegmentationError) {
    guard steps.contains(.silhouettes), settings.keep != .everyone, let faces else {
      guard knowsPeople else { return }
      // Whoever is there when it is wanted again may have come since.
      division.forgetPast()
      faces?.forgetPast()
      knowsPeople = false
      return
    }
    knowsPeople = true
    let seen = try faces.find(
      in: frame, format: format, at: time, isShown: { matte.shows(column: $0, row: $1) })
    division.apply(
      to: matte.samples, picture: picture, faces: seen, keep: settings.keep, after: ticks)
  }

  /// Drops what is no person, and shapes the edge.
  private func finish(_ settings: EffectSettings, _ clock: inout StageClock) {
    if steps.contains(.silhouettes) {
      silhouettes.apply(
        to: matte.samples, keep: settings.keep, after: ticks, seen: seenColumns,
        isDivided: division.isDividing, belongsToOther: { division.belongsToOther($0, of: $1) })
    }
    let amounts = EdgeShaping.Amounts(
      settings: settings, frameHeight: format.height, grid: matte.grid)
    if shaping?.serves(amounts, on: matte.grid) != true {
      shaping = EdgeShaping(grid: matte.grid, amounts: amounts, kernels: kernels)
    }
    shaping?.apply(to: matte.samples)
    if newScene.isSettling {
      let coverage = matte.coverage
      let agrees = newScene.coverage.map { abs($0 - coverage) <= Self.agreeingCoverage } == true
      newScene = (!agrees, coverage)
    }
    clock.finish(.matte)
  }

  /// Makes the matte of a frame at `time` by warping the last inferred matte.
  ///
  /// `picture` is the reduced frame. If an inference `isDue`, the matte is reused only if it fits
  /// nearly as well as a new one and `settings.inference` allows that, or if nothing moved. Returns false if the frame needs an inference, for example because the
  /// matte would show the room or because the settings changed its shape.
  func reuseMatte(
    for picture: Frame, at time: UInt64, settings: EffectSettings, isDue: Bool
  ) -> Bool {
    fit = nil
    let rests = isDue && isSettled(picture, at: time, settings: settings)
    guard !newScene.isSettling, lastShape == MatteShape(settings) else { return false }
    if isDue, !rests, !mayReuseGoodMatte(at: time, settings: settings) { return false }
    guard steps.contains(.matteWarp) else {
      matte = inferred
      return !isDue || rests
    }
    guard let fit = findFit(for: picture, at: time) else { return false }
    self.fit = fit
    guard fit == .good || fit == .fair && (!isDue || rests) else { return false }
    // A matte that is too old to be reused may still be blended with a new one.
    if isDue, !rests, !isYoungEnough(at: time) { return false }
    preparedWarp().move(inferred.samples, from: smoothing.picture, to: picture.luma)
    matte = preparedWarp().matte
    isMoved = true
    lastTime = time
    return true
  }

  /// Whether a frame at `time`, reduced to `picture`, needs no inference because nothing moved.
  private func isSettled(_ picture: Frame, at time: UInt64, settings: EffectSettings) -> Bool {
    // The choice of a person waits for mattes: it may change after the scene has become still.
    guard settings.inference == .whenNeeded, settings.keep == .everyone, !networksMissedFrames,
      lastShape == MatteShape(settings)
    else { return false }
    return still.isSettled(
      picture.luma, since: smoothing.picture, age: clock.elapsed(at: time), at: time)
  }

  /// Whether a well-fitting matte may replace a due inference, or be blended with its matte.
  private func mayReuseGoodMatte(at time: UInt64, settings: EffectSettings) -> Bool {
    guard settings.inference == .whenNeeded, !networksMissedFrames,
      let elapsed = clock.elapsed(at: time)
    else { return false }
    // The timestamps are not checked, so differences may wrap around.
    return elapsed <= Self.longestApproach && time &- began >= Self.timeToSettle
      && (isMoved || isYoungEnough(at: time))
  }

  private func isYoungEnough(at time: UInt64) -> Bool {
    let longest = runningInferences.areAny ? Self.longestReuseInTurn : Self.longestReuse
    return clock.elapsed(at: time).map { $0 <= longest } == true
  }

  /// Returns how well the last inferred matte fits a frame, or nil without such a matte.
  private func findFit(for picture: Frame, at time: UInt64) -> MatteWarp.Fit? {
    guard steps.contains(.matteWarp), let age = clock.elapsed(at: time) else { return nil }
    return preparedWarp().find(picture.luma, in: smoothing.picture, age: age)
  }

  /// What moves the last inferred matte.
  private func preparedWarp() -> MatteWarp {
    let warp = warp ?? MatteWarp(grid: inferred.grid, kernels: kernels)
    self.warp = warp
    if !warpIsCurrent {
      warp.begin(with: inferred.samples, picture: smoothing.picture)
      warpIsCurrent = true
    }
    return warp
  }

  private func refineEdge(of stage: SegmentationStage, _ picture: Frame) {
    switch stage.segmenter.edge {
    case .approximate:
      refinement.refine(matte.samples, picture: picture, contrast: Self.refinedContrast)
    case .exact:
      let (sharp, wide) = (Self.pixelsOfSharpRamp, Self.pixelsOfWideRamp)
      let need = min(max((stage.step - sharp) / (wide - sharp), 0), 1)
      guard need > 0 else { return }
      let contrast = Float(1 + need * (Self.contrast - 1))
      for y in 0..<matte.grid.height {
        unsafe kernels.contrastRow(matte.samples.row(y), contrast, matte.grid.width)
      }
    }
  }
}
