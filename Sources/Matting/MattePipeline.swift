import InferenceTypes
import PixelTypes

/// A frame and the parameters for its matte.
package struct MatteInput {
  /// The frame at the size of the matte, upright.
  package let picture: Frame
  /// The time of the frame in nanoseconds.
  package let time: UInt64
  /// Whether the time is known, not estimated.
  package var hasKnownTime = true
  /// The user's settings of the matte.
  package let settings: MatteSettings
  /// The frames that get an inference.
  package let inference: MatteSettings.Inference
  /// A mask for this frame that replaces the networks, or nil.
  package var mask: PersonMask?
  /// Whether an inference is due.
  package var isDue = true

  /// Creates the input for a frame for which an inference is due.
  package init(
    picture: Frame, time: UInt64, settings: MatteSettings, inference: MatteSettings.Inference
  ) {
    (self.picture, self.time) = (picture, time)
    (self.settings, self.inference) = (settings, inference)
  }
}

/// Computes the matte of each frame.
///
/// The steps are: prepare the tensor, infer, refine the edge, smooth over time, shape the edge.
///
/// A pipeline works for one frame format and one set of networks. Not thread-safe.
package final class MattePipeline {
  /// Reduces frames to one sample per sample of the matte, before they are turned upright.
  package let reduced: ReducedFrame
  /// The matte of the last frame.
  package private(set) var matte: Matte
  /// Chooses the people to show, or nil to show everyone.
  package var selector: (any PersonSelector)?

  /// The edge contrast for an exact network with samples `maxWideStep` pixels apart.
  ///
  /// Enlarging the matte turns each edge into a ramp that is wider than the edge in the picture. If
  /// the samples are up to `minWideStep` pixels apart, no contrast is added.
  private static let contrast = 1.3
  private static let minWideStep = 1.5, maxWideStep = 3.0
  /// The edge contrast for an approximate network: its edge is fitted to the picture's colours.
  private static let refinedContrast: Float = 1.5
  /// The maximum age in nanoseconds of a matte that is warped: four frames of thirty a second.
  ///
  /// With a larger age, the error of the warped edge grows faster than the number of inferences
  /// falls. Must be less than `maxReuseAgeInTurn`, which must be less than `maxBlendAge`.
  private static let maxReuseAge: UInt64 = 150_000_000
  /// The maximum age while other streams infer, so that streams that began together take turns.
  private static let maxReuseAgeInTurn: UInt64 = 200_000_000
  /// The maximum age in nanoseconds of a matte that is blended with a new one.
  private static let maxBlendAge: UInt64 = 250_000_000
  /// The maximum difference in coverage, as a share of the frame, between two mattes that agree.
  private static let maxCoverageChange = 0.005
  /// The nanoseconds that a recurrent network and the smoothing need to converge.
  private static let settlingTime: UInt64 = 250_000_000

  private let kernels: any RowKernels.Type
  private let runningInferences: RunningInferences
  private let steps: MatteSteps
  private let format: FrameFormat
  private let segmentation: FrameSegmentation
  private let refinement: EdgeRefinement
  private let smoothing: TemporalSmoothing
  private let components: ComponentFilter
  private let still: StillScene
  private var shaping: EdgeShaping?
  /// Places the masks from upstream.
  private var maskPlacement: MattePlacement?
  /// Warps the last inferred matte, or nil before a matte is first reused.
  private var warp: MatteWarp?

  /// The last matte that was not warped.
  private let inferred: Matte
  private var state = State.empty
  private var scene = Scene.known
  /// The settings of the last matte, or nil if it must not be reused.
  private var lastSettings: MatteSettings?
  /// The time of the last frame with a matte, in nanoseconds.
  private var lastTime: UInt64?
  /// The time of the first inference after a reset, in nanoseconds.
  private var firstInference: UInt64 = 0
  private var clock = MatteClock()

  /// The last matte.
  private enum State: Equatable {
    /// There is no matte.
    case empty
    /// A matte that was computed from its own frame.
    case own(Origin)
    /// The warped matte of an earlier frame.
    case warped(Origin)

    /// The source of the matte.
    enum Origin { case networks, upstream }

    var isWarped: Bool { if case .warped = self { true } else { false } }
    var origin: Origin? {
      switch self {
      case .empty: nil
      case .own(let origin), .warped(let origin): origin
      }
    }
  }

  /// The knowledge about the scene.
  private enum Scene {
    /// The scene is known: two of its mattes agreed.
    case known
    /// The scene is new: each frame gets an inference until two mattes agree.
    ///
    /// `coverage` refers to the last matte, and is nil before the first matte of the scene.
    case new(coverage: Double?)
  }

  /// Creates tables and buffers for frames of `format` and the given networks.
  ///
  /// `source` is the format of the stored frames, and `format` the format of the upright frames.
  package init(
    format: FrameFormat, source: FrameFormat, segmenters: Segmenters, steps: MatteSteps,
    bands: Bands, runningInferences: RunningInferences, kernels: any RowKernels.Type
  ) {
    var segmenters = segmenters
    if !steps.contains(.crop) { segmenters.crop = nil }
    if !steps.contains(.recovery) { segmenters.crop?.coarse = nil }
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
    components = ComponentFilter(grid: grid)
    still = StillScene(kernels: kernels)
  }

  /// The accuracy of the mattes along the edge of the person.
  package var edge: MatteEdge { segmentation.edge }

  /// Whether there is a matte that may be reused for the next frame.
  package var hasMatte: Bool { state != .empty }

  /// Discards the state of earlier frames.
  package func reset() {
    resetNetworks(warmsUp: true)
    smoothing.reset()
    resetPeople()
    clock.reset()
    state = .empty
  }

  /// Continues the stream of `old`, a pipeline for the same frames with other networks.
  package func replace(_ old: MattePipeline) {
    // Frames must not wait while the new networks warm up.
    resetNetworks(warmsUp: !old.segmentation.hasPast)
  }

  /// Prevents the next frame from reusing the last matte.
  package func discardMatte() {
    lastSettings = nil
  }

  private func resetNetworks(warmsUp: Bool) {
    segmentation.reset(warmsUp: warmsUp)
    still.reset()
    scene = .known
  }

  private func resetPeople() {
    components.reset()
    selector?.reset()
  }

  /// Computes a new matte for a frame and returns true, or reuses the last matte and returns false.
  ///
  /// `frame` returns the upright frame in full size, and is called only for a new matte. `stages`
  /// receives the time of each stage.
  ///
  /// Throws `SegmentationError` if an inference fails or if its result does not fit the network's
  /// input. Call `reset()` after that.
  package func makeMatte(
    for input: MatteInput, of frame: () -> Frame, stages: inout StageClock
  ) throws(SegmentationError) -> Bool {
    var fit: MatteWarp.Fit?
    if input.mask == nil, hasMatte {
      if reuseMatte(for: input, fit: &fit) {
        stages.finish(.matte)
        return false
      }
      if state.origin == .upstream {
        // The networks have not seen the frames with a mask.
        resetNetworks(warmsUp: true)
        fit = nil
      }
    }
    if !segmentation.hasPast { firstInference = input.time }
    updateScene(for: input, fit: fit)
    let blended = state.isWarped && (fit == .good || fit == .fair) ? warp : nil
    if let blended {
      blended.move(inferred.samples, from: smoothing.picture, to: input.picture.luma)
      stages.finish(.matte)
    }
    var context = beginMatte(for: input, of: frame())
    try segment(&context, input.mask, &stages)
    try selectPeople(context)
    shapeEdge(input.settings)
    updateScene(coverage: matte.coverage)
    stages.finish(.matte)
    state = .own(input.mask == nil ? .networks : .upstream)
    lastSettings = input.settings
    if let blended {
      // A sudden change from the warped mattes to the new one would be visible as flicker. The next
      // warped matte is based on this frame's inferred matte.
      blended.approach(inferred.samples)
      matte = blended.matte
      stages.finish(.matte)
    }
    return true
  }

  /// Begins a new matte.
  private func beginMatte(for input: MatteInput, of frame: Frame) -> MatteContext {
    lastTime = input.time
    matte = inferred
    warp?.invalidate()
    state = .empty
    return MatteContext(
      frame: frame, format: format, picture: input.picture, time: input.time,
      ticks: clock.advance(to: input.time), settings: input.settings,
      seenColumns: 0..<matte.grid.width)
  }

  /// Writes the matte of the networks, or the mask that replaces them, to the grid.
  private func segment(
    _ context: inout MatteContext, _ mask: PersonMask?, _ stages: inout StageClock
  ) throws(SegmentationError) {
    if let mask {
      place(mask)
      if steps.contains(.edgeRefinement) {
        refinement.refine(
          matte.samples, picture: context.picture, contrast: Self.refinedContrast)
      }
    } else {
      let stage = try segmentation.makeMatte(
        of: context.frame, reduced: context.picture, after: context.ticks, into: matte.samples,
        clock: &stages)
      context.seenColumns = matte.grid.columns(of: segmentation.seenRegion)
      if steps.contains(.edgeRefinement) { refineEdge(of: stage, context.picture) }
    }
    smoothing.smooth(
      matte.samples, luma: context.picture.luma, strength: context.settings.smoothing)
    if mask == nil { segmentation.recordPeople(in: matte.samples) }
  }

  private func place(_ mask: PersonMask) {
    let (width, height) = (mask.samples.width, mask.samples.height)
    let placement: MattePlacement
    if let maskPlacement, maskPlacement.isCompatible(width: width, height: height) {
      placement = maskPlacement
    } else {
      placement = MattePlacement(
        width: width, height: height, grid: matte.grid, kernels: kernels)
      maskPlacement = placement
    }
    placement.place(mask, into: matte.samples)
  }

  /// Clears everything except the people to show.
  private func selectPeople(_ context: MatteContext) throws(SegmentationError) {
    guard steps.contains(.components) else { return }
    if let selector {
      try selector.select(in: matte, of: context, with: components)
    } else {
      components.apply(to: matte.samples, after: context.ticks)
    }
  }

  /// Moves and widens the edge according to the user's settings.
  private func shapeEdge(_ settings: MatteSettings) {
    let amounts = EdgeShaping.Amounts(
      settings: settings, frameHeight: format.height, grid: matte.grid)
    if shaping?.isCompatible(with: amounts, on: matte.grid) != true {
      shaping = EdgeShaping(grid: matte.grid, amounts: amounts, kernels: kernels)
    }
    shaping?.apply(to: matte.samples)
  }

  // MARK: - Scene changes

  /// Detects a new scene, and then discards the people of the old one.
  ///
  /// If `fit` is nil, this compares the scenes only if `keep` selects one person.
  private func updateScene(for input: MatteInput, fit: MatteWarp.Fit?) {
    let fit = fit ?? (input.settings.keep == .everyone ? nil : findFit(for: input))
    if fit == .poor, case .known = scene { scene = .new(coverage: inferred.coverage) }
    guard fit == .otherScene else { return }
    scene = .new(coverage: nil)
    // After a longer time, a moving person can look like another scene.
    if let lastTime, input.time &- lastTime <= Self.maxReuseAge { resetPeople() }
  }

  /// Checks whether the last two mattes of a new scene agree.
  private func updateScene(coverage: @autoclosure () -> Double) {
    guard case .new(let last) = scene else { return }
    let coverage = coverage()
    let agrees = last.map { abs($0 - coverage) <= Self.maxCoverageChange } == true
    scene = agrees ? .known : .new(coverage: coverage)
  }

  // MARK: - Reusing mattes

  /// Warps the last inferred matte to a frame and returns true, if no inference is needed.
  ///
  /// Returns false if the frame needs an inference. If an inference is due, the matte is reused
  /// only if it fits nearly as well as a new one, or if nothing moved. Stores the fit in `fit` if
  /// it was determined.
  private func reuseMatte(for input: MatteInput, fit: inout MatteWarp.Fit?) -> Bool {
    let isReusable = lastSettings == input.settings
    let rests = input.isDue && isReusable && isStill(input)
    guard isReusable, case .known = scene else { return false }
    if input.isDue, !rests, !mayReplaceInference(for: input) { return false }
    guard steps.contains(.matteWarp) else {
      matte = inferred
      return !input.isDue || rests
    }
    fit = findFit(for: input)
    guard fit == .good || fit == .fair && (!input.isDue || rests), let origin = state.origin
    else { return false }
    // A matte that is too old to be reused may still be blended with a new one.
    if input.isDue, !rests, !isYoungEnough(at: input.time) { return false }
    let warp = preparedWarp()
    warp.move(inferred.samples, from: smoothing.picture, to: input.picture.luma)
    matte = warp.matte
    state = .warped(origin)
    lastTime = input.time
    return true
  }

  /// Returns whether a frame needs no inference because nothing moved.
  private func isStill(_ input: MatteInput) -> Bool {
    // The selected person may still change after the scene has become still.
    guard input.inference == .whenNeeded, input.settings.keep == .everyone, input.hasKnownTime,
      state.origin == .networks
    else { return false }
    return still.isSettled(
      input.picture.luma, since: smoothing.picture, age: clock.elapsed(at: input.time),
      at: input.time)
  }

  /// Returns whether a well-fitting matte may replace a due inference or be blended with its matte.
  private func mayReplaceInference(for input: MatteInput) -> Bool {
    guard input.inference == .whenNeeded, state.origin == .networks,
      let elapsed = clock.elapsed(at: input.time)
    else { return false }
    // The timestamps are not checked, so differences may wrap around.
    return elapsed <= Self.maxBlendAge && input.time &- firstInference >= Self.settlingTime
      && (state.isWarped || isYoungEnough(at: input.time))
  }

  private func isYoungEnough(at time: UInt64) -> Bool {
    let maxAge = runningInferences.areAny ? Self.maxReuseAgeInTurn : Self.maxReuseAge
    return clock.elapsed(at: time).map { $0 <= maxAge } == true
  }

  /// Returns how well the last inferred matte fits a frame, or nil without such a matte.
  private func findFit(for input: MatteInput) -> MatteWarp.Fit? {
    guard steps.contains(.matteWarp), let age = clock.elapsed(at: input.time) else { return nil }
    return preparedWarp().find(input.picture.luma, in: smoothing.picture, age: age)
  }

  /// Returns the warp, prepared for the last inferred matte.
  private func preparedWarp() -> MatteWarp {
    let warp = warp ?? MatteWarp(grid: inferred.grid, kernels: kernels)
    self.warp = warp
    warp.prepare(inferred.samples, picture: smoothing.picture)
    return warp
  }

  private func refineEdge(of stage: SegmentationStage, _ picture: Frame) {
    switch stage.segmenter.edge {
    case .approximate:
      refinement.refine(matte.samples, picture: picture, contrast: Self.refinedContrast)
    case .exact:
      let (sharp, wide) = (Self.minWideStep, Self.maxWideStep)
      let need = min(max((stage.step - sharp) / (wide - sharp), 0), 1)
      guard need > 0 else { return }
      let contrast = Float(1 + need * (Self.contrast - 1))
      for y in 0..<matte.grid.height {
        unsafe kernels.contrastRow(matte.samples.row(y), contrast, matte.grid.width)
      }
    }
  }
}
