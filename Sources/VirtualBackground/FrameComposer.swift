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
  private var blur: (isLens: Bool, sigma: Double, blur: any RoomBlur)?
  private var edge: EdgeTreatment?
  private var lowLight: LowLight?

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
    let showsMatte = settings.effect == .matte
    // Without a background, the picture gets the matte as alpha.
    let isIsolated = settings.effect == .transparent && output?.format.hasAlpha == true
    let blur = settings.effect == .blur && settings.hidesRoom ? backgroundBlur(settings) : nil
    let blursFrame = blur.map { $0.shift < shift } == true
    var shown = input
    var isCopy = false
    if settings.hidesRoom, !showsMatte,
      // An enlarged matte reaches further than the columns that are brightened around the person.
      let brightened = brighten(
        input, settings.lowLight,
        showsRoom: isIsolated || blursFrame || framing.region.size < 1)
    {
      (shown.frame, shown.reduced) = brightened
      isCopy = true
    }
    if framing.enlarge(&shown) { isCopy = true }
    // A copy cannot be composed in place.
    let target = output ?? PicturePlanes(input.frame)
    if showsMatte {
      compositor.show(shown.matte, into: target)
    } else if settings.hidesRoom {
      var background: BackgroundFill?
      if let blur {
        blur.blur(blursFrame ? shown.frame : shown.reduced, without: shown.matte)
        background = .blur(blur)
      } else if !isIsolated {
        background = self.background(of: settings, plate)
      }
      let edge = edgeTreatment(of: shown, over: background, settings)
      compositor.draw(shown.frame, matte: shown.matte, over: background, edge: edge, into: target)
    } else if isCopy || output != nil {
      compositor.draw(shown.frame, matte: nil, over: nil, into: target)
    }
    return shown.matte
  }

  /// Prepares the treatment of the person, or returns nil if it can be left out.
  private func edgeTreatment(
    of input: MattedFrame, over background: BackgroundFill?, _ settings: EffectSettings
  ) -> EdgeTreatment? {
    switch background {
    case nil: break
    // The blurred background has nearly the colour of the sharp one, so only an exact edge benefits
    // from despilling. Estimating the colours takes longer than the whole blur of a small frame.
    case .blur: if !settings.despill || !input.isExact { return nil }
    case .color, .plate:
      let matchesLight = settings.effect == .replace && settings.matchLight > 0
      if !settings.despill, settings.lightWrap <= 0, !matchesLight { return nil }
    }
    let edge = edge ?? EdgeTreatment(format: format, sourceShift: shift, matteGrid: grid)
    self.edge = edge
    edge.prepare(
      input.reduced, matte: input.matte, over: background, despills: settings.despill,
      lightAmount: settings.lightWrap, matchAmount: settings.matchLight, at: input.time)
    return edge
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

  private func backgroundBlur(_ settings: EffectSettings) -> any RoomBlur {
    let isLens = settings.blurShape == .lens
    let sigma = BackgroundBlur.sigma(
      radius: settings.blurRadius, frameHeight: format.upright.height)
    if let blur, blur.isLens == isLens, blur.sigma == sigma { return blur.blur }
    // Free the old blur before the new one is allocated.
    blur = nil
    let shift =
      isLens
      ? LensBlur.shift(sigma: sigma, sourceShift: self.shift)
      : BackgroundBlur.shift(sigma: sigma, sourceShift: self.shift)
    let usedShift = shift >= self.shift ? self.shift : 0
    let made: any RoomBlur =
      isLens
      ? LensBlur(
        format: format, sigma: sigma, shift: shift, sourceShift: usedShift, grid: grid,
        bands: bands)
      : BackgroundBlur(
        format: format, sigma: sigma, shift: shift, sourceShift: usedShift, grid: grid)
    blur = (isLens, sigma, made)
    return made
  }
}
