import Compositing
import Matting
import PixelTypes

/// Composes frames with their mattes, for one frame format.
///
/// It owns the compositor, the blur and the treatment of the edge. It recreates them when the
/// settings or the grid of the mattes change. Not thread-safe.
final class FrameComposer {
  private let format: FrameFormat
  private let bands: Bands
  private let kernels: any RowKernels.Type
  private var compositor: Compositor?
  private var blur: (key: BlurKey, blur: any RoomBlur)?
  private var edge: EdgeTreatment?
  private var lowLight: LowLight?
  /// Converts unmodified frames to another format.
  private var converter: Compositor?

  /// The parameters of a `RoomBlur`.
  private struct BlurKey: Equatable {
    var shape: EffectSettings.BlurShape
    var sigma: Double
    var sourceShift: Int
    var grid: MatteGrid
  }

  /// Creates a composer for frames of `format`.
  init(format: FrameFormat, bands: Bands, kernels: any RowKernels.Type) {
    (self.format, self.bands, self.kernels) = (format, bands, kernels)
  }

  /// Composes the part of a frame that `framing` shows, in place or into `output`.
  ///
  /// `plate` is the background to show if the effect replaces it. Returns the matte of the part.
  func compose(
    _ input: MattedFrame, shownBy framing: PeopleFraming, over plate: Plate?,
    _ settings: EffectSettings, into output: PicturePlanes?
  ) -> Matte {
    let composition = Composition(settings, outputHasAlpha: output?.format.hasAlpha == true)
    let blur = composition == .blurred ? backgroundBlur(settings, input) : nil
    let blursFrame = blur.map { $0.shift < input.shift } == true
    var shown = input
    var isCopy = false
    if composition != .matte, composition != .unchanged,
      let brightened = brighten(
        input, settings.lowLight, showsRoom: composition == .isolated || blursFrame)
    {
      (shown.frame, shown.reduced) = brightened
      isCopy = true
    }
    if framing.enlarge(&shown) { isCopy = true }
    var background: BackgroundFill?
    if let blur {
      blur.blur(blursFrame ? shown.frame : shown.reduced, without: shown.matte)
      background = .blur(blur)
    } else if composition == .replaced {
      background = self.background(of: settings, plate)
    }
    // A copy cannot be composed in place.
    draw(
      shown, as: composition, over: background, settings,
      into: isCopy ? output ?? PicturePlanes(input.frame) : output)
    return shown.matte
  }

  private func draw(
    _ input: MattedFrame, as composition: Composition, over background: BackgroundFill?,
    _ settings: EffectSettings, into output: PicturePlanes?
  ) {
    let (frame, matte) = (input.frame, input.matte)
    let compositor = compositor(grid: matte.grid)
    var treatment: EdgeTreatment?
    if composition.treatsEdge(with: settings, isExact: input.isExact) {
      let edge = edgeTreatment(sourceShift: input.shift, matteGrid: matte.grid)
      edge.prepare(
        input.reduced, matte: matte, over: background, despills: settings.despill,
        lightAmount: settings.lightWrap, matchAmount: settings.matchLight, at: input.time)
      treatment = edge
    }
    if composition == .matte {
      compositor.show(matte, in: frame, into: output)
    } else if let background {
      compositor.compose(frame, matte: matte, over: background, edge: treatment, into: output)
    } else if let output {
      if composition == .isolated {
        compositor.isolate(frame, matte: matte, edge: treatment, into: output)
      } else {
        compositor.convert(frame, into: output)
      }
    }
  }

  /// Discards the state of earlier frames.
  func reset() { lowLight = nil }

  /// Returns brightened copies of a frame and of its reduced picture, or nil if it is well lit.
  private func brighten(
    _ input: MattedFrame, _ strength: Double, showsRoom: Bool
  ) -> (frame: Frame, reduced: Frame)? {
    if strength == 0 {
      lowLight = nil
    } else if lowLight?.shift != input.shift {
      lowLight = LowLight(format: format, shift: input.shift, bands: bands, kernels: kernels)
    }
    return lowLight?.treat(
      input.frame, reduced: input.reduced, matte: input.matte, strength: strength,
      showsRoom: showsRoom, at: input.time)
  }

  /// Converts a frame without an effect to a picture of another format.
  func convert(_ frame: Frame, into output: PicturePlanes) {
    let converter =
      converter
      ?? Compositor(
        format: format, grid: MatteGrid(format: format, width: 1, height: 1),
        bands: bands, kernels: kernels)
    self.converter = converter
    converter.convert(frame, into: output)
  }

  private func compositor(grid: MatteGrid) -> Compositor {
    if let compositor, compositor.grid == grid { return compositor }
    let made = Compositor(format: format, grid: grid, bands: bands, kernels: kernels)
    compositor = made
    return made
  }

  private func background(of settings: EffectSettings, _ plate: Plate?) -> BackgroundFill {
    // A plate of another format cannot be shown. The colour also hides the background.
    if settings.effect == .replace, let plate, plate.format == format { return .plate(plate) }
    return .color(settings.backgroundColor, in: format)
  }

  private func edgeTreatment(sourceShift: Int, matteGrid: MatteGrid) -> EdgeTreatment {
    if let edge, edge.isCompatible(sourceShift: sourceShift, matteGrid: matteGrid) { return edge }
    let made = EdgeTreatment(
      format: format, sourceShift: sourceShift, matteGrid: matteGrid, kernels: kernels)
    edge = made
    return made
  }

  private func backgroundBlur(_ settings: EffectSettings, _ input: MattedFrame) -> any RoomBlur {
    let (shape, sourceShift, grid) = (settings.blurShape, input.shift, input.matte.grid)
    let sigma = BackgroundBlur.sigma(
      radius: settings.blurRadius, frameHeight: format.upright.height)
    let key = BlurKey(shape: shape, sigma: sigma, sourceShift: sourceShift, grid: grid)
    if let blur, blur.key == key { return blur.blur }
    // Free the old blur before the new one is allocated.
    blur = nil
    let shift =
      switch shape {
      case .gaussian: BackgroundBlur.shift(sigma: sigma, sourceShift: sourceShift)
      case .lens: LensBlur.shift(sigma: sigma, sourceShift: sourceShift)
      }
    let usedShift = shift >= sourceShift ? sourceShift : 0
    let made: any RoomBlur =
      switch shape {
      case .gaussian:
        BackgroundBlur(
          format: format, sigma: sigma, shift: shift, sourceShift: usedShift, grid: grid,
          kernels: kernels)
      case .lens:
        LensBlur(
          format: format, sigma: sigma, shift: shift, sourceShift: usedShift, grid: grid,
          bands: bands, kernels: kernels)
      }
    blur = (key, made)
    return made
  }
}
