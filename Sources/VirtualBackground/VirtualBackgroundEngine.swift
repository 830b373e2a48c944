import Compositing
import Matting
import PersonSelection
import PixelTypes
import Threads

/// The result of a frame.
public enum FrameOutcome: Equatable, Sendable {
  /// The effect hides the background. `inferred` is true if the frame had an inference.
  case composed(inferred: Bool)
  /// There was no matte, so the frame was covered according to `onFailure`.
  ///
  /// With the effect `none`, the whole frame is shown.
  case hidden(SegmentationError)
  /// There was no matte, and the frame must not be output.
  case dropped(SegmentationError)
  /// There was no matte, and the stream must end with an error.
  case failed(SegmentationError)
}

/// The matte that a frame was composed with.
///
/// Safety: the matte points into the engine's memory, and is valid until the next call of the
/// engine.
public struct FrameMatte {
  /// The alpha of each sample: 255 for the person, 0 for the background.
  ///
  /// The samples are `step` pixels of the frame apart, from its left and its upper edge on. The
  /// samples of the last column and row may be beyond the frame.
  public let samples: Plane
  /// The distance between two samples in pixels of the frame, in both directions: 1, 2, 4, 8 or 16.
  public let step: Int
  /// Whether the person was detected in this frame, and not in an earlier one.
  public let isInferred: Bool
}

/// Hides the background behind a person, frame by frame.
///
/// The engine creates buffers and tables when the format, the network or the settings change. In
/// steady state, it allocates no memory. Not thread-safe.
public final class VirtualBackgroundEngine {
  /// The counts and the times of the last frame.
  public private(set) var statistics = EngineStatistics()

  /// The matte of the last frame, or nil if that frame had no matte.
  public private(set) var frameMatte: FrameMatte?

  /// The CPU time of all threads but the caller's.
  public let helperTime = HelperTime()

  /// The duration of a frame without a timestamp, in nanoseconds.
  ///
  /// Nil if the stream does not specify a frame rate.
  public var frameDuration: UInt64?

  /// The duration of a frame in nanoseconds, or an assumed one without a frame rate.
  public var usualFrameDuration: UInt64 { frameDuration ?? FrameClock.defaultDuration }

  /// Whether the stream is live, so that inferences may run alongside it.
  ///
  /// Then frames of another scene are hidden if the wait for an inference is too long. Set
  /// `onFailure` to `.error` to wait nevertheless.
  public var isLive = false

  private let threads: Int
  private let runningInferences: RunningInferences
  private let arrival: MatteArrival
  /// The thread of the inferences alongside the stream.
  private let sideThread = SideThread("vbgfilter-matte")
  private var format: FrameFormat?
  private var bands = Bands.single
  private var segmenters: Segmenters?
  private var faces: (any FaceFinder)?
  /// Selects one person, or nil while everyone is shown.
  private var selector: OnePersonSelector?
  private var composer: FrameComposer?
  private var framing: PeopleFraming?
  private var plate: Plate?
  private var pipeline: MattePipeline?
  /// Turns frames upright for the pipeline, or nil if they are upright already.
  ///
  /// Everything else works on the frames as stored.
  private var upright: UprightView?
  private var cover: FrameCover?
  private var frames = FrameClock()
  /// Whether the previous matte is recent enough to reuse.
  public var hasMatte: Bool { pipeline?.hasMatte == true }

  /// Creates an engine.
  ///
  /// The rows of large frames are divided among at most `threads` threads, including the calling
  /// one. `runningInferences` counts the inferences of all engines that take turns. `arrival`
  /// applies to live streams.
  public init(
    threads: Int = 1, runningInferences: RunningInferences = .ofProcess,
    arrival: MatteArrival = .whenFinished
  ) {
    self.threads = threads
    (self.runningInferences, self.arrival) = (runningInferences, arrival)
  }

  /// Sets the format of the following frames, and discards the state of earlier frames.
  public func configure(for format: FrameFormat) {
    self.format = format
    bands = Bands(format: format, threads: threads, helperTime: helperTime)
    cover = FrameCover(format: format, bands: bands)
    // Free the memory for the old format before more is allocated.
    (composer, framing) = (nil, nil)
    framing = PeopleFraming(format: format, bands: bands)
    pipeline = nil
    rebuild(with: segmenters)
  }

  /// Sets the networks from the next frame on, or nil to work without networks.
  public func use(_ segmenters: Segmenters?) {
    self.segmenters = segmenters
    rebuild(with: segmenters)
  }

  /// Sets the face finder used to separate touching people when `keep` selects one.
  ///
  /// If it is nil, touching people are shown together.
  public func use(_ faces: (any FaceFinder)?) {
    guard self.faces !== faces else { return }
    self.faces = faces
    pipeline?.discardInference()
    selector?.faces = faces
    // The last matte shows the people that the old finder separated.
    pipeline?.discardMatte()
  }

  /// Sets the plate to show from the next frame on, or nil to remove it.
  ///
  /// `isNextPicture` is true for the next picture of the same video.
  public func use(_ plate: Plate?, isNextPicture: Bool = false) {
    self.plate = plate
    if !isNextPicture { composer?.resetBackground() }
  }

  /// Discards the state of earlier frames.
  ///
  /// Call this after a flush, a gap or a pause of the effect.
  public func reset() {
    pipeline?.reset()
    composer?.reset()
    cover?.reset()
    framing?.reset()
  }

  /// Hides the background in `frame`, in place or into a picture of any format.
  ///
  /// With `output`, which may share the luma of the frame, the frame is only read. `frame` must
  /// have the configured format, and `output` its size and colorimetry. `time` is the presentation
  /// time in nanoseconds, if known.
  ///
  /// If `infers` is false, the last matte is reused, provided there is one and the frame still
  /// shows the same scene. If `infers` is true, the warped matte is reused if `settings.inference`
  /// allows it and the warped matte is good enough or nothing moves.
  ///
  /// If `mask` is given for this frame, it replaces the inference and the network.
  public func process(
    _ frame: Frame, into output: PicturePlanes? = nil, settings: EffectSettings,
    at time: UInt64? = nil, infers: Bool = true, mask: PersonMask? = nil
  ) -> FrameOutcome {
    frames.advance(to: time, duration: frameDuration)
    let settings = settings.valid
    if mask != nil, pipeline == nil {
      rebuild(with: segmenters ?? Segmenters(wholeFrame: NullSegmenter()))
    }
    func hide(because error: SegmentationError) -> FrameOutcome {
      self.hide(frame, into: output, settings: settings, because: error, pixelsAreValid: true)
    }
    guard let composer, let framing, let pipeline, segmenters != nil || mask != nil else {
      return hide(
        because: SegmentationError(
          .modelNotFound, "no network is loaded; set the property model or install the models"))
    }
    var clock = StageClock()
    let reduced = pipeline.reduced.reduce(frame)
    let picture = upright?.turn(reduced: reduced) ?? reduced
    clock.finish(\.prepare)
    updateSelector(for: pipeline, keep: settings.matte.keep)
    var input = MatteInput(
      picture: picture, time: frames.now, settings: settings.matte,
      inference: settings.inference)
    (input.isInferenceDue, input.hasKnownTime) = (infers, frames.isKnown)
    if isLive { input.liveInterval = usualFrameDuration }
    // A hidden frame is a picture, not a matte.
    input.mayBeHidden =
      settings.onFailure != .error && settings.hidesRoom && settings.effect != .matte
    let result: MatteResult
    do {
      defer { helperTime.add(clock.helperTime) }
      if let mask { input.mask = try upright?.turn(mask) ?? mask }
      result = try pipeline.makeMatte(
        for: input, of: { upright?.turn(frame) ?? frame }, stages: &clock)
    } catch {
      // An older matte would not fit this frame, because the person has moved.
      pipeline.reset()
      return hide(because: error)
    }
    if let finished = result.finished {
      helperTime.add(finished.helperTime)
      recordInference(finished)
    }
    guard result.source != .tooLate else {
      return hide(
        because: SegmentationError(
          .tooLate, "the inference would take too long for a live frame"))
    }
    let isNew = result.source == .ownFrame
    let matte = upright?.turnBack(pipeline.matte) ?? pipeline.matte
    let composed = MattedFrame(
      frame: frame, reduced: reduced, shift: pipeline.reduced.shift, matte: matte,
      isExact: mask == nil && pipeline.edge == .exact, time: frames.now)
    framing.follow(pipeline.matte, settings, at: frames.now)
    let shownMatte = composer.compose(
      composed, shownBy: framing, over: plate, settings, into: output)
    clock.finish(\.composite)
    if isNew, mask == nil { recordInference(clock) }
    if isNew { statistics.matteTime = clock.matte }
    if isNew || result.finished != nil { statistics.coverage = pipeline.matte.coverage }
    statistics.region = framing.region
    statistics.frames += 1
    statistics.prepareTime = clock.prepare
    statistics.compositeTime = clock.composite
    if !settings.hidesRoom {
      // Do not repeat this unchanged frame later, when the background must be hidden.
      cover?.reset()
    } else if settings.onFailure == .hold {
      cover?.hold(output ?? PicturePlanes(frame), of: framing.region)
    }
    frameMatte = FrameMatte(
      samples: shownMatte.samples.plane, step: 1 << pipeline.reduced.shift, isInferred: isNew)
    return .composed(inferred: isNew)
  }

  /// Updates the statistics after an inference.
  private func recordInference(_ clock: StageClock) {
    statistics.inferences += 1
    (statistics.inferenceTime, statistics.matteTime) = (clock.inference, clock.matte)
  }

  /// Converts a frame without an effect to a picture of another format.
  public func convert(_ frame: Frame, into output: PicturePlanes) {
    frameMatte = nil
    statistics.region = .whole
    cover?.convert(frame, into: output)
  }

  /// Covers a frame without a matte, in place or into `output`, according to `settings.onFailure`.
  ///
  /// If the memory of the frame could not be mapped, `pixelsAreValid` is false and a blur becomes a
  /// colour. The frame may then be nil if there is an output.
  public func hide(
    _ frame: Frame?, into output: PicturePlanes? = nil, settings: EffectSettings,
    because error: SegmentationError, pixelsAreValid: Bool
  ) -> FrameOutcome {
    frameMatte = nil
    statistics.frames += 1
    statistics.failures += 1
    statistics.region = .whole
    if settings.effect == .none, pixelsAreValid, let frame {
      if let output { convert(frame, into: output) }
      return .hidden(error)
    }
    switch settings.onFailure {
    case .error: return .failed(error)
    case .drop: return .dropped(error)
    case .hold, .blur, .color: break
    }
    guard let cover, let picture = output ?? frame.map({ PicturePlanes($0) }) else {
      return .dropped(error)
    }
    if settings.onFailure == .hold, let region = cover.restore(picture) {
      statistics.region = region
    } else if settings.onFailure == .blur, pixelsAreValid, let frame {
      cover.paint(frame, into: picture)
    } else {
      // The colour also replaces a missing picture.
      cover.paint(settings.backgroundColor, into: picture)
    }
    return .hidden(error)
  }

  /// Recreates the members that depend on both the format and the network.
  private func rebuild(with segmenters: Segmenters?) {
    frameMatte = nil
    let old = pipeline
    old?.discardInference()
    pipeline = nil
    upright = nil
    guard let format, let segmenters else { return }
    let made = MattePipeline(
      format: UprightView.format(for: format) ?? format, source: format, segmenters: segmenters,
      bands: bands, runningInferences: runningInferences, thread: sideThread,
      arrival: arrival)
    if let selector {
      let adopting = OnePersonSelector(grid: made.matte.grid, faces: faces)
      if old != nil { adopting.adoptPeople(of: selector) }
      self.selector = adopting
      made.use(adopting)
    }
    if let old { made.replace(old) } else { made.reset() }
    pipeline = made
    if composer?.shift != made.reduced.shift {
      // Free the memory of the old composer before the new one is allocated.
      composer = nil
      composer = FrameComposer(format: format, shift: made.reduced.shift, bands: bands)
    }
    upright = UprightView(of: format, shift: made.reduced.shift, bands: bands)
  }

  /// Creates or removes the selector when `keep` changes between everyone and one person.
  private func updateSelector(for pipeline: MattePipeline, keep: MatteSettings.Keep) {
    guard (keep == .everyone) != (selector == nil) else { return }
    let old = selector
    selector =
      keep == .everyone ? nil : OnePersonSelector(grid: pipeline.matte.grid, faces: faces)
    pipeline.use(selector)
    // Other people may be in the frame when one person is selected again.
    old?.reset()
  }

  /// Returns the maximum memory, in bytes, that an engine uses for frames of a format.
  ///
  /// It counts the engine's own memory, regardless of the settings. The memory of the network, of
  /// plates and of the frames themselves is not included. Networks with more than a million input
  /// pixels need more.
  public static func memory(for format: FrameFormat) -> Int {
    let pixels = format.width * format.height
    // - 13 bytes per pixel: four for a held result, two for the copy of a frame that is inferred
    //   alongside, two each for a brightened and an enlarged frame, three for the upright frame and
    //   other rasters.
    // - 60 bytes per sample of the matte's grid, which is at most twice as fine as the network's
    //   input in both directions.
    // - 8 MiB for tables.
    return 13 * pixels + 60 * min(pixels, 4 << 20) + (8 << 20)
  }
}
