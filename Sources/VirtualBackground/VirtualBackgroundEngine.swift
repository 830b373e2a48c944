import Compositing
import InferenceTypes
import Matting
import PersonSelection
import PixelTypes
import Threads

/// The result of a frame.
public enum FrameOutcome: Equatable, Sendable {
  /// The background is hidden by the effect; `inferred` tells whether the frame had an inference.
  case composed(inferred: Bool)
  /// There was no matte; the frame was painted over as `onFailure` says.
  case hidden(SegmentationError)
  /// There was no matte and the frame is not to go out.
  case dropped(SegmentationError)
  /// There was no matte and the stream is to end with an error.
  case failed(SegmentationError)
}

/// Counts since the engine was made, and the times of the last frame.
public struct EngineStatistics: Equatable, Sendable {
  /// Frames that were given to `process` or `hide`.
  public var frames: UInt64 = 0
  /// Inferences that succeeded.
  public var inferences: UInt64 = 0
  /// Frames that had no matte.
  public var failures: UInt64 = 0
  /// Share of the last matte's frame that it covers, 0 to 1.
  public var coverage = 0.0
  /// Nanoseconds that the last frame took to be brought into the network's input.
  public var prepareTime: UInt64 = 0
  /// Nanoseconds that the network took, in the last frame that had an inference.
  public var inferenceTime: UInt64 = 0
  /// Nanoseconds that the last matte took from the network's output on.
  public var matteTime: UInt64 = 0
  /// Nanoseconds that the last frame's background and blend took.
  public var compositeTime: UInt64 = 0

  /// All zero.
  public init() {}
}

/// Frame in, frame out: hides the room behind a person.
///
/// Buffers and tables are made when the format, the network or the settings change; a frame in
/// steady state allocates nothing. Used on one thread at a time.
public final class VirtualBackgroundEngine {
  /// What happened so far.
  public private(set) var statistics = EngineStatistics()

  /// The matte of the last frame; nil when it was hidden without one.
  public private(set) var frameMatte: FrameMatte?

  /// What other threads than the caller's have computed for the frames.
  public let helperTime = HelperTime()

  /// Nanoseconds from a frame without a time to the next; nil where the stream does not say.
  public var frameDuration: UInt64?

  private let kernels: any RowKernels.Type
  private let threads: Int
  private let steps: MatteSteps
  private let runningInferences: RunningInferences
  private var format: FrameFormat?
  private var segmenters: Segmenters?
  private var faces: (any FaceFinder)?
  /// Chooses who is shown; nil while everyone is.
  private var selector: OnePersonSelector?
  private var plate: Plate?
  private var pipeline: MattePipeline?
  /// The view that turns frames upright for the pipeline, or nil if they are upright already.
  ///
  /// Everything else works on the frames as stored.
  private var upright: UprightView?
  private var compositor: Compositor?
  private var blur: (key: BlurKey, blur: BackgroundBlur)?
  private var edge: EdgeTreatment?
  private var cover: FrameCover?
  /// What brings frames as they are into another format.
  private var converter: Compositor?
  private var frames = FrameClock()
  /// Whether there is a matte that may be used again, for it belongs to a frame not long ago.
  public var hasMatte: Bool { pipeline?.hasMatte == true }

  /// What a `BackgroundBlur` was made for.
  private struct BlurKey: Equatable {
    var sigma: Double
    var sourceShift: Int
    var grid: MatteGrid
  }

  /// Makes an engine that works with the given kernels.
  ///
  /// The rows of large frames are divided among at most `threads` threads, the calling one included.
  /// `steps` are those that make the mattes. `runningInferences` counts those of all engines that are to
  /// take turns.
  public init(
    kernels: any RowKernels.Type, threads: Int = 1, steps: MatteSteps = .all,
    runningInferences: RunningInferences = .ofProcess
  ) {
    self.kernels = kernels
    self.threads = threads
    self.steps = steps
    self.runningInferences = runningInferences
  }

  /// Takes frames of `format` from now on; forgets everything of the frames before.
  public func configure(for format: FrameFormat) {
    self.format = format
    cover = FrameCover(format: format, bands: bands(for: format), kernels: kernels)
    blur = nil
    converter = nil
    pipeline = nil
    rebuild()
  }

  /// Uses other networks from the next frame on; nil for none.
  public func use(_ segmenters: Segmenters?) {
    self.segmenters = segmenters
    rebuild()
  }

  /// Tells people who touch apart by their faces, where one of them is to be kept; nil to show them
  /// together.
  public func use(_ faces: (any FaceFinder)?) {
    guard self.faces !== faces else { return }
    self.faces = faces
    selector?.faces = faces
    // The last matte shows the people whom the old faces tell apart.
    pipeline?.discardMatte()
  }

  /// Shows another plate from the next frame on; nil for none.
  public func use(_ plate: Plate?) {
    self.plate = plate
  }

  /// Forgets what was remembered of earlier frames: after a flush, a gap or a pause of the effect.
  public func reset() {
    pipeline?.reset()
    cover?.reset()
  }

  /// Hides the room in `frame`, in place, or into a picture of any format; then the frame is only
  /// read.
  ///
  /// The frame has the configured format, and the picture its size and colours; it is shown at
  /// `time`, in nanoseconds, if that is known. Unless it `infers`, the last matte is used again, if
  /// there is one and the frame still shows the same scene. So does one that `infers`, if
  /// `settings.inference` allows it and the moved matte is good enough or nothing moves. A `mask` of
  /// this very frame stands in for an inference, and for a network.
  public func process(
    _ frame: Frame, into output: PicturePlanes? = nil, settings: EffectSettings,
    at time: UInt64? = nil, infers: Bool = true, mask: PersonMask? = nil
  ) -> FrameOutcome {
    frames.advance(to: time, duration: frameDuration)
    let settings = settings.valid
    if mask != nil, pipeline == nil {
      rebuild(with: segmenters ?? Segmenters(wholeFrame: NullSegmenter()))
    }
    guard let format, let pipeline, segmenters != nil || mask != nil else {
      let error = SegmentationError(
        .modelNotFound, "no network is loaded; set the property model or install the models")
      return hide(
        frame, into: output, settings: settings, because: error, pixelsAreValid: true)
    }
    var clock = StageClock()
    let blurs = settings.effect == .blur && settings.hidesRoom
    let isolates = settings.effect == .transparent && output?.format.hasAlpha == true
    let replaces =
      switch settings.effect {
      case .replace, .color: true
      case .transparent: !isolates
      case .blur, .matte: false
      }
    // The blurred room has the colour of the sharp one: before it only an edge that is exact gains,
    // and the colours take longer to find than the whole blur of a small frame.
    let despills =
      settings.despill
      && (replaces || isolates || blurs && mask == nil && pipeline.edge == .exact)
    let treatsEdge = despills || isolates || settings.lightWrap > 0 && replaces
    let reduced = pipeline.reduced.reduce(frame)
    let picture = upright?.turn(reduced: reduced) ?? reduced
    clock.finish(.prepare)
    updateSelector(for: pipeline, keep: settings.keep)
    var input = MatteInput(
      picture: picture, time: frames.now, settings: settings.matte,
      inference: settings.inference)
    input.isDue = infers
    let isNew: Bool
    do {
      defer { helperTime.add(clock.helperTime) }
      if let mask { input.mask = try upright?.turn(mask) ?? mask }
      isNew = try pipeline.makeMatte(
        for: input, of: { upright?.turn(frame) ?? frame }, stages: &clock)
    } catch {
      // An older matte would not fit this frame: the person has moved on.
      pipeline.reset()
      return hide(frame, into: output, settings: settings, because: error, pixelsAreValid: true)
    }
    if isNew {
      statistics.matteTime = clock.matte
      statistics.coverage = pipeline.matte.coverage
      if mask == nil {
        statistics.inferences += 1
        statistics.inferenceTime = clock.inference
      }
    }
    let matte = upright?.turnBack(pipeline.matte) ?? pipeline.matte
    let compositor = compositor(for: format, grid: matte.grid)
    func treatedEdge(before background: BackgroundFill?) -> EdgeTreatment? {
      guard treatsEdge else { return nil }
      let edge = edgeTreatment(
        for: format, sourceShift: pipeline.reduced.shift, matteGrid: matte.grid)
      edge.prepare(
        reduced, matte: matte, over: background, despills: settings.despill,
        lightAmount: settings.lightWrap)
      return edge
    }
    func compose(over background: BackgroundFill) {
      compositor.compose(
        frame, matte: matte, over: background, edge: treatedEdge(before: background), into: output)
    }
    switch settings.effect {
    case .matte:
      compositor.show(matte, in: frame, into: output)
    case .transparent where isolates:
      guard let output else { break }
      compositor.isolate(frame, matte: matte, edge: treatedEdge(before: nil), into: output)
    case .blur where blurs:
      let blur = backgroundBlur(
        for: format,
        sigma: BackgroundBlur.sigma(
          radius: settings.blurRadius, frameHeight: format.upright.height),
        sourceShift: pipeline.reduced.shift, grid: matte.grid)
      let source = blur.shift >= pipeline.reduced.shift ? reduced : frame
      blur.blur(source, without: matte)
      compose(over: .blur(blur))
    case .blur:
      // A radius of 0 leaves the room as sharp as it is: that is what was asked for.
      if let output { compositor.convert(frame, into: output) }
    case .replace, .color, .transparent:
      compose(over: background(of: settings, for: format))
    }
    clock.finish(.composite)
    statistics.frames += 1
    statistics.prepareTime = clock.prepare
    statistics.compositeTime = clock.composite
    if !settings.hidesRoom {
      // A frame that was shown as it is must not be repeated for one whose room is to be hidden.
      cover?.reset()
    } else if settings.onFailure == .hold {
      cover?.hold(output ?? PicturePlanes(frame))
    }
    frameMatte = FrameMatte(
      samples: matte.samples.plane, step: 1 << pipeline.reduced.shift, isInferred: isNew)
    return .composed(inferred: isNew)
  }

  /// Brings a frame as it is into a picture of another format, for settings that ask for that.
  public func convert(_ frame: Frame, into output: PicturePlanes) {
    guard let format else { return }
    frameMatte = nil
    let converter =
      converter
      ?? Compositor(
        format: format, grid: MatteGrid(format: format, width: 1, height: 1),
        bands: bands(for: format), kernels: kernels)
    self.converter = converter
    converter.convert(frame, into: output)
  }

  /// Paints over a frame that cannot be matted at all, as `settings.onFailure` says, or over `output`
  /// instead.
  ///
  /// For frames whose memory could not be mapped (`pixelsAreValid` false) a blur becomes a colour; with
  /// an output there need be no frame then.
  public func hide(
    _ frame: Frame?, into output: PicturePlanes? = nil, settings: EffectSettings,
    because error: SegmentationError, pixelsAreValid: Bool
  ) -> FrameOutcome {
    frameMatte = nil
    statistics.frames += 1
    statistics.failures += 1
    switch settings.onFailure {
    case .drop: return .dropped(error)
    case .error: return .failed(error)
    case .blur: return cover(frame, into: output, .blur, settings, error, pixelsAreValid)
    case .color: return cover(frame, into: output, .color, settings, error, pixelsAreValid)
    case .hold: return cover(frame, into: output, .hold, settings, error, pixelsAreValid)
    }
  }

  private func cover(
    _ frame: Frame?, into output: PicturePlanes?, _ style: FrameCover.Style,
    _ settings: EffectSettings, _ error: SegmentationError, _ pixelsAreValid: Bool
  ) -> FrameOutcome {
    guard let cover, frame != nil || output != nil else { return .dropped(error) }
    cover.paint(
      frame, into: output, style: style, color: settings.backgroundColor,
      pixelsAreValid: pixelsAreValid)
    return .hidden(error)
  }

  private func bands(for format: FrameFormat) -> Bands {
    Bands(format: format, threads: threads, helperTime: helperTime)
  }

  /// Makes what depends on both the format and the network.
  private func rebuild() {
    rebuild(with: segmenters)
  }

  private func rebuild(with segmenters: Segmenters?) {
    frameMatte = nil
    let old = pipeline
    pipeline = nil
    upright = nil
    compositor = nil
    edge = nil
    guard let format, let segmenters else { return }
    let made = MattePipeline(
      format: UprightView.format(for: format) ?? format, source: format, segmenters: segmenters,
      steps: steps, bands: bands(for: format),
      runningInferences: runningInferences, kernels: kernels)
    if let selector {
      let adopting = OnePersonSelector(grid: made.matte.grid, faces: faces)
      if old != nil { adopting.adoptPeople(of: selector) }
      self.selector = adopting
      made.selector = adopting
    }
    if let old { made.replace(old) } else { made.reset() }
    pipeline = made
    upright = UprightView(of: format, shift: made.reduced.shift, bands: bands(for: format))
  }

  /// Makes what chooses one of several people when the settings begin to ask for it.
  private func updateSelector(for pipeline: MattePipeline, keep: MatteSettings.Keep) {
    guard (keep == .everyone) != (selector == nil) else { return }
    // Whoever is there when one person is wanted again may have come since.
    selector?.reset()
    selector =
      keep == .everyone ? nil : OnePersonSelector(grid: pipeline.matte.grid, faces: faces)
    pipeline.selector = selector
  }

  private func compositor(for format: FrameFormat, grid: MatteGrid) -> Compositor {
    if let compositor, compositor.grid == grid { return compositor }
    let made = Compositor(
      format: format, grid: grid, bands: bands(for: format), kernels: kernels)
    compositor = made
    return made
  }

  private func background(
    of settings: EffectSettings, for format: FrameFormat
  ) -> BackgroundFill {
    // A plate of another format, or none, cannot be shown; the colour hides the room as well.
    if settings.effect == .replace, let plate, plate.format == format { return .plate(plate) }
    return .color(settings.backgroundColor, in: format)
  }

  private func edgeTreatment(
    for format: FrameFormat, sourceShift: Int, matteGrid: MatteGrid
  ) -> EdgeTreatment {
    if let edge, edge.isCompatible(sourceShift: sourceShift, matteGrid: matteGrid) { return edge }
    let made = EdgeTreatment(
      format: format, sourceShift: sourceShift, matteGrid: matteGrid, kernels: kernels)
    edge = made
    return made
  }

  private func backgroundBlur(
    for format: FrameFormat, sigma: Double, sourceShift: Int, grid: MatteGrid
  ) -> BackgroundBlur {
    let key = BlurKey(sigma: sigma, sourceShift: sourceShift, grid: grid)
    if let blur, blur.key == key { return blur.blur }
    let shift = BackgroundBlur.shift(sigma: sigma, sourceShift: sourceShift)
    let made = BackgroundBlur(
      format: format, sigma: sigma, shift: shift,
      sourceShift: shift >= sourceShift ? sourceShift : 0,
      grid: grid, kernels: kernels)
    blur = (key, made)
    return made
  }
}
