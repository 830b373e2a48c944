import PixelTypes
import Threads

/// Computes the matte of each frame.
///
/// A `MatteMaker` makes mattes with inferences. The pipeline decides which frames get one, and
/// warps the last inferred matte to the others. In live streams, an inference may run alongside.
///
/// A pipeline works for one frame format and one set of networks. Not thread-safe.
package final class MattePipeline {
  /// Reduces frames to one sample per sample of the matte, before they are turned upright.
  package let reduced: ReducedFrame
  /// The accuracy of the mattes along the edge of the person.
  package let edge: MatteEdge
  /// The matte of the last frame.
  package private(set) var matte: Matte

  /// The maximum age in nanoseconds of a matte that is warped: four frames of thirty a second.
  ///
  /// With a larger age, the error of the warped edge grows faster than the number of inferences
  /// falls. Must be less than `maxReuseAgeInTurn`, which must be less than `maxBlendAge`.
  private static let maxReuseAge: UInt64 = 150_000_000
  /// The maximum age while other streams infer, so that streams that began together take turns.
  private static let maxReuseAgeInTurn: UInt64 = 200_000_000
  /// The maximum age in nanoseconds of a matte that is blended with a new one.
  private static let maxBlendAge: UInt64 = 250_000_000
  /// The number of inferences that a recurrent network and the smoothing need to converge.
  private static let settlingCount = 8
  /// If a live frame of another scene would wait for more frames than this, it is hidden.
  private static let maxWait: UInt64 = 2

  private let runningInferences: RunningInferences
  /// Makes the mattes with inferences, unless a side inference is using it.
  private let maker: MatteMaker
  private let side: SideInference
  private let still: StillScene
  /// Warps the last inferred matte, or nil before a matte is first reused.
  private var warp: MatteWarp?

  /// The last inferred matte, and its picture.
  private var inferred: Inferred
  /// Memory for `inferred` while a side inference overwrites the maker's rasters.
  private var kept: (matte: Raster<UInt8>, picture: Raster<UInt8>)?
  /// The matte to warp in the next frame instead of the inferred one, so that the change is
  /// gradual.
  private var blended: Raster<UInt8>?
  /// Whether a side inference prevented a due one.
  private var owesInference = false
  /// The source of the last matte, or nil if there is no matte that may be reused.
  private var origin: Origin?
  /// Whether the last matte is the warped one of an earlier frame.
  private var isWarped = false
  private var scene = SceneState.known
  /// The settings of the last matte, or nil if it must not be reused.
  private var lastSettings: MatteSettings?
  /// The time of the last frame with a matte, in nanoseconds.
  private var lastTime: UInt64?
  /// The number of mattes since the last reset of the networks.
  private var inferenceCount = 0

  /// A matte that was not warped.
  ///
  /// Safety: the picture points into the maker, or into `kept`.
  private struct Inferred {
    let matte: Raster<UInt8>
    let picture: Plane
    /// The time of its frame in nanoseconds, or nil if the matte must not be used.
    var time: UInt64?
  }

  private enum Origin { case networks, upstream }

  /// Creates tables and buffers for frames of `format` and the given networks.
  ///
  /// `source` is the format of the stored frames, and `format` the format of the upright frames.
  /// Side inferences run on `thread`.
  package init(
    format: FrameFormat, source: FrameFormat, segmenters: Segmenters, bands: Bands,
    runningInferences: RunningInferences, thread: SideThread, arrival: MatteArrival
  ) {
    self.runningInferences = runningInferences
    let tensor = segmenters.wholeFrame.inputFormat
    let region = TensorPreparation.region(of: tensor, for: format)
    let shift = ReducedFrame.shift(
      for: PixelRegion(wholeOf: format), covering: (region.width, region.height))
    reduced = ReducedFrame(format: source, shift: shift, bands: bands)
    maker = MatteMaker(
      format: format, shift: shift, segmenters: segmenters, bands: bands,
      runningInferences: runningInferences)
    side = SideInference(maker: maker, thread: thread, arrival: arrival)
    edge = maker.edge
    matte = maker.matte
    inferred = Inferred(matte: maker.matte.samples, picture: maker.picture)
    still = StillScene(grid: maker.matte.grid)
  }

  /// Whether there is a matte that may be reused for the next frame.
  package var hasMatte: Bool { origin != nil }

  /// Sets the selector of the people to show, or nil to show everyone.
  package func use(_ selector: (any PersonSelector)?) {
    discardInference()
    maker.selector = selector
  }

  /// Waits for a side inference, and drops its matte.
  package func discardInference() {
    side.discardInference()
    discardOldPeople()
  }

  package func reset() {
    discardInference()
    maker.reset()
    still.reset()
    (scene, origin, isWarped, inferenceCount) = (.known, nil, false, 0)
    inferred.time = nil
  }

  /// Continues the stream of `old` with other networks.
  ///
  /// `old` must have no side inference, and frames of the same format.
  package func replace(_ old: MattePipeline) {
    // Frames must not wait while the new networks warm up.
    resetNetworks(warmsUp: !old.maker.hasPast)
  }

  /// Prevents the next frame from reusing the last matte.
  package func discardMatte() { lastSettings = nil }

  private func resetNetworks(warmsUp: Bool) {
    maker.resetNetworks(warmsUp: warmsUp)
    still.reset()
    inferenceCount = 0
    scene = .known
  }

  /// Computes a new matte for a frame, or warps an earlier one.
  ///
  /// `frame` returns the upright frame in full size, and is called only for an inference. `stages`
  /// receives the time of each stage.
  ///
  /// Throws `SegmentationError` if an inference fails or if its result does not fit the network's
  /// input. Call `reset()` after that.
  package func makeMatte(
    for input: MatteInput, of frame: () -> Frame, stages: inout StageClock
  ) throws(SegmentationError) -> MatteResult {
    defer { stages.finish(\.matte) }
    if let interval = sideInterval(for: input) {
      return try makeMatteAlongside(input, interval, of: frame, stages: &stages)
    }
    discardInference()
    var fit: MatteWarp.Fit?
    if input.mask == nil, hasMatte {
      if reuseMatte(for: input, fit: &fit) { return MatteResult(source: .earlierFrame) }
      if origin == .upstream {
        // The networks have not seen the frames with a mask.
        resetNetworks(warmsUp: true)
        fit = nil
      }
    }
    try inferMatte(for: input, of: frame, fit: fit, stages: &stages)
    return MatteResult(source: .ownFrame)
  }

  /// Computes the matte of a frame while the stream waits.
  private func inferMatte(
    for input: MatteInput, of frame: () -> Frame, fit: MatteWarp.Fit?, stages: inout StageClock
  ) throws(SegmentationError) {
    updateScene(for: input, fit: fit)
    let hadPast = maker.hasPast
    let warped = isWarped && mayShow(fit) ? warp : nil
    warped?.move(inferred.matte, from: inferred.picture, to: input.picture.luma)
    // The time so far, which may include a wait, does not belong to the inference.
    stages.finish(\.matte)
    lastTime = input.time
    matte = maker.matte
    warp?.invalidate()
    (blended, origin, isWarped) = (nil, nil, false)
    let before = stages.total
    try maker.makeMatte(for: input, of: frame(), clock: &stages)
    // The first inference takes longer, because it includes the warm-up.
    if input.mask == nil, hadPast { side.record(cost: stages.total &- before) }
    recordMatte(at: input.time, settings: input.settings)
    origin = input.mask == nil ? .networks : .upstream
    if let warped {
      // A sudden change from the warped mattes to the new one would be visible as flicker. The next
      // warped matte is based on this frame's inferred matte.
      MatteWarp.approach(warped.matte.samples, to: inferred.matte)
      matte = warped.matte
    }
  }

  /// Makes the maker's matte the one that is warped.
  private func recordMatte(at time: UInt64, settings: MatteSettings) {
    inferred = Inferred(matte: maker.matte.samples, picture: maker.picture, time: time)
    lastSettings = settings
    inferenceCount += 1
    still.record(maker.matte.samples)
    scene.recordMatte(coverage: maker.matte.coverage)
  }

  // MARK: - Inferences alongside a live stream

  /// Returns the duration of a frame if its inference may run alongside the stream, otherwise nil.
  private func sideInterval(for input: MatteInput) -> UInt64? {
    guard let interval = input.liveInterval, input.mask == nil, input.inference == .whenNeeded,
      origin == .networks, side.isUseful(at: interval)
    else { return nil }
    return interval
  }

  /// Makes the matte of a live frame, and begins a side inference if one is needed.
  private func makeMatteAlongside(
    _ input: MatteInput, _ interval: UInt64, of frame: () -> Frame, stages: inout StageClock
  ) throws(SegmentationError) -> MatteResult {
    var result = MatteResult(source: .earlierFrame)
    if let job = side.takeFinished() { result.finished = try adopt(job) }
    let isDue = input.isInferenceDue || owesInference
    // As in `reuseMatte`, before the fit, because changes must restart the still scene.
    let rests = isDue && lastSettings == input.settings && isStill(input)
    let cost = side.cost(at: interval)
    var fit = findLiveFit(for: input)
    let wait = cost &+ (side.isRunning ? side.rest(at: interval) : 0)
    if fit == .otherScene, mayHide(input, for: wait, interval) {
      if !side.isRunning {
        updateScene(for: input, fit: fit)
        begin(input, of: frame(), shown: nil)
      } else if !scene.isEmpty {
        scene = .changed
      }
      result.source = .tooLate
      return result
    }
    if !mayShow(fit), side.isRunning {
      if let job = side.wait() { result.finished = try adopt(job) }
      fit = findLiveFit(for: input)
    }
    if mayShow(fit) {
      show(blended ?? inferred.matte, in: input)
      blended = nil
      owesInference = isDue && side.isRunning
      if isDue, !rests, !side.isRunning, needsInference(input, fit, cost) {
        begin(input, of: frame(), shown: matte.samples)
      }
    } else {
      try inferMatte(for: input, of: frame, fit: fit, stages: &stages)
      result.source = .ownFrame
    }
    return result
  }

  /// Returns how well the last matte fits a live frame, or nil for changed settings, which wait.
  private func findLiveFit(for input: MatteInput) -> MatteWarp.Fit? {
    lastSettings == input.settings ? findFit(for: input) : nil
  }

  /// Returns whether a live frame may show the warped matte.
  private func mayShow(_ fit: MatteWarp.Fit?) -> Bool {
    scene.isKnown && fit?.isShowable == true
  }

  /// Returns whether to hide a frame of another scene instead of waiting for `wait` nanoseconds.
  ///
  /// Frames are hidden for at most the duration of one inference. After an inference for which a
  /// frame waited, frames wait until a warped matte fits again. Otherwise, the picture would flash.
  /// For the same reason, frames of fast motion always wait.
  private func mayHide(_ input: MatteInput, for wait: UInt64, _ interval: UInt64) -> Bool {
    guard input.mayBeHidden, isWarped, let lastTime else { return false }
    return wait > Self.maxWait * interval && input.time &- lastTime <= side.cost(at: interval)
  }

  /// Returns whether a live frame needs an inference of duration `cost`, although its matte fits.
  ///
  /// The next matte must be finished before this one is too old or does not fit well any more.
  private func needsInference(_ input: MatteInput, _ fit: MatteWarp.Fit?, _ cost: UInt64) -> Bool {
    guard fit == .good, let age = age(at: input.time), hasSettled else { return true }
    return !isYoungEnough(at: input.time &+ cost)
      || warp?.staysGood(from: age, until: age &+ cost) == false
  }

  /// Begins a side inference for a frame that is shown with the matte `shown`, or hidden.
  private func begin(_ input: MatteInput, of frame: Frame, shown: Raster<UInt8>?) {
    if inferred.matte === maker.matte.samples {
      let kept = kept ?? (Raster(sizeOf: inferred.matte.plane), Raster(sizeOf: inferred.picture))
      kept.matte.store(inferred.matte.plane)
      kept.picture.store(inferred.picture)
      self.kept = kept
      inferred = Inferred(matte: kept.matte, picture: kept.picture.plane, time: inferred.time)
    }
    side.begin(input, of: frame, shown: shown)
  }

  /// Uses the matte of a side inference from this frame on, and returns the times of its stages.
  private func adopt(_ job: SideJob) throws(SegmentationError) -> StageClock {
    if let failure = job.failure { throw failure }
    warp?.invalidate()
    blended = job.wasShown ? job.blended() : nil
    recordMatte(at: job.input.time, settings: job.input.settings)
    discardOldPeople()
    return job.stages
  }

  // MARK: - Scene changes

  /// Detects a new scene, and then discards the people of the old one.
  ///
  /// If `fit` is nil, this compares the scenes only if `keep` selects one person.
  private func updateScene(for input: MatteInput, fit: MatteWarp.Fit?) {
    let fit = fit ?? (input.settings.keep == .everyone ? nil : findFit(for: input))
    if fit == .poor, scene.isKnown { scene = .new(coverage: maker.matte.coverage) }
    guard fit == .otherScene else { return }
    scene = .new(coverage: nil)
    // After a longer time, a moving person can look like another scene.
    if let lastTime, input.time &- lastTime <= Self.maxReuseAge { maker.resetPeople() }
  }

  /// Discards the people of the old scene if the scene changed during a side inference.
  private func discardOldPeople() {
    guard case .changed = scene else { return }
    scene = .new(coverage: nil)
    maker.resetPeople()
  }

  // MARK: - Reusing mattes

  /// Warps the last inferred matte to a frame and returns true, if no inference is needed.
  ///
  /// Returns false if the frame needs an inference. If an inference is due, the matte is reused
  /// only if it fits nearly as well as a new one, or if nothing moved. Stores the fit in `fit` if
  /// it was determined.
  private func reuseMatte(for input: MatteInput, fit: inout MatteWarp.Fit?) -> Bool {
    let isReusable = lastSettings == input.settings
    let rests = input.isInferenceDue && isReusable && isStill(input)
    guard isReusable, scene.isKnown else { return false }
    if input.isInferenceDue, !rests, !mayReplaceInference(for: input) { return false }
    fit = findFit(for: input)
    let mayBeFair = !input.isInferenceDue || rests
    guard fit == .good || fit == .fair && mayBeFair else { return false }
    // A matte that is too old to be reused may still be blended with a new one.
    if input.isInferenceDue, !rests, !isYoungEnough(at: input.time) { return false }
    show(inferred.matte, in: input)
    return true
  }

  /// Warps the matte `source` of the last inferred frame to a frame.
  private func show(_ source: Raster<UInt8>, in input: MatteInput) {
    let warp = preparedWarp()
    warp.move(source, from: inferred.picture, to: input.picture.luma)
    matte = warp.matte
    isWarped = true
    lastTime = input.time
  }

  /// Returns whether a frame needs no inference because nothing moved.
  private func isStill(_ input: MatteInput) -> Bool {
    // The selected person may still change after the scene has become still.
    guard input.inference == .whenNeeded, input.settings.keep == .everyone, input.hasKnownTime,
      origin == .networks
    else { return false }
    return still.isSettled(
      input.picture.luma, since: inferred.picture, age: age(at: input.time), at: input.time)
  }

  /// Whether the networks have converged, so that their mattes change only with the picture.
  private var hasSettled: Bool {
    inferenceCount >= Self.settlingCount && !still.isMatteChanging
  }

  /// Returns whether a well-fitting matte may replace a due inference or be blended with its matte.
  private func mayReplaceInference(for input: MatteInput) -> Bool {
    guard input.inference == .whenNeeded, origin == .networks, let elapsed = age(at: input.time)
    else { return false }
    // The timestamps are not checked, so differences may wrap around.
    return elapsed <= Self.maxBlendAge && hasSettled && (isWarped || isYoungEnough(at: input.time))
  }

  /// Returns the nanoseconds from the last inferred frame to `time`, or nil without a matte.
  private func age(at time: UInt64) -> UInt64? {
    inferred.time.flatMap { time >= $0 ? time - $0 : nil }
  }

  private func isYoungEnough(at time: UInt64) -> Bool {
    let maxAge = runningInferences.areAny ? Self.maxReuseAgeInTurn : Self.maxReuseAge
    return age(at: time).map { $0 <= maxAge } == true
  }

  /// Returns how well the last inferred matte fits a frame, or nil without such a matte.
  private func findFit(for input: MatteInput) -> MatteWarp.Fit? {
    guard let age = age(at: input.time) else { return nil }
    return preparedWarp().find(input.picture.luma, in: inferred.picture, age: age)
  }

  /// Returns the warp, prepared for the last inferred matte.
  private func preparedWarp() -> MatteWarp {
    let warp = warp ?? MatteWarp(grid: maker.matte.grid)
    self.warp = warp
    warp.prepare(inferred.matte, picture: inferred.picture)
    return warp
  }
}
