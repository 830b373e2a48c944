import Compositing
import Matting
import PixelTypes

/// Composes frames with their mattes, for one frame format and one grid of mattes.
///
/// It owns the compositor, the blur, and the treatments of the edge and of low light. Not
/// thread-safe.
final class FrameComposer {
  /// The binary logarithm of the distance between samples of the matte, in pixels of the frame.
  let shift: Int

  private let format: FrameFormat
  private let grid: MatteGrid
  private let bands: Bands
  private let compositor: Compositor
  private var blur: (key: BlurKey, blur: RoomBlur)?
  private var edge: EdgeTreatment?
  private var lowLight: LowLight?

  /// The parameters of a `RoomBlur`.
  private struct BlurKey: Equatable {
    var shape: EffectSettings.BlurShape
    var sigma: Double
  }

  /// Creates a composer for frames of `format`.
  ///
  /// Mattes and reduced frames have one sample per `1 << shift` pixels in each direction.
  init(format: FrameFormat, shift: Int, bands: Bands) {
    (self.format, self.shift, self.bands) = (format, shift, bands)
    grid = MatteGrid(format: format, shift: shift)
    compositor = Compositor(format: format, grid: grid, bands: bands)
  }

  /// Composes the part of a frame that `framing` shows, in place or into `output`.
  ///
  /// `plate` is the background to show if the effect replaces it. Returns the matte of the part.
  func compose(
    _ input: MattedFrame, shownBy framing: PeopleFraming, over plate: Plate?,
    _ settings: EffectSettings, into output: PicturePlanes?
  ) -> Matte {
    let composition = Composition(settings, outputHasAlpha: output?.format.hasAlpha == true)
    let blur = composition == .blurred ? backgroundBlur(settings) : nil
    let blursFrame = blur.map { $0.shift < shift } == true
    var shown = input
    var isCopy = false
    if composition != .matte, composition != .unchanged,
      // An enlarged matte reaches further than the columns that are brightened around the person.
      let brightened = brighten(
        input, settings.lowLight,
        showsRoom: composition == .isolated || blursFrame || framing.region.size < 1)
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
    var treatment: EdgeTreatment?
    if composition.treatsEdge(with: settings, isExact: input.isExact) {
      let edge = edge ?? EdgeTreatment(format: format, sourceShift: shift, matteGrid: grid)
      self.edge = edge
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
  func reset() {
    lowLight = nil
    edge?.reset()
  }

  /// Discards the light of the background, because another one follows.
  func resetBackground() { edge?.resetBackground() }

  /// Returns brightened copies of a frame and of its reduced picture, or nil if it is well lit.
  private func brighten(
    _ input: MattedFrame, _ strength: Double, showsRoom: Bool
  ) -> (frame: Frame, reduced: Frame)? {
    if strength == 0 {
      lowLight = nil
      return nil
    }
    let lowLight = lowLight ?? LowLight(format: format, shift: shift, bands: bands)
    self.lowLight = lowLight
    return lowLight.treat(
      input.frame, reduced: input.reduced, matte: input.matte, strength: strength,
      showsRoom: showsRoom, at: input.time)
  }

  private func background(of settings: EffectSettings, _ plate: Plate?) -> BackgroundFill {
    // A plate of another format cannot be shown. The colour also hides the background.
    if settings.effect == .replace, let plate, plate.format == format { return .plate(plate) }
    return .color(settings.backgroundColor, in: format)
  }

  private func backgroundBlur(_ settings: EffectSettings) -> RoomBlur {
    let shape = settings.blurShape
    let sigma = BackgroundBlur.sigma(
      radius: settings.blurRadius, frameHeight: format.upright.height)
    let key = BlurKey(shape: shape, sigma: sigma)
    if let blur, blur.key == key { return blur.blur }
    // Free the old blur before the new one is allocated.
    blur = nil
    let shift =
      switch shape {
      case .gaussian: BackgroundBlur.shift(sigma: sigma, sourceShift: self.shift)
      case .lens: LensBlur.shift(sigma: sigma, sourceShift: self.shift)
      }
    let usedShift = shift >= self.shift ? self.shift : 0
    let made: RoomBlur =
      switch shape {
      case .gaussian:
        BackgroundBlur(
          format: format, sigma: sigma, shift: shift, sourceShift: usedShift, grid: grid)
      case .lens:
        LensBlur(
          format: format, sigma: sigma, shift: shift, sourceShift: usedShift, grid: grid,
          bands: bands)
      }
    blur = (key, made)
    return made
  }
}
