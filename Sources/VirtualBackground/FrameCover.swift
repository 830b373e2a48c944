import PixelTypes

/// Paints over frames that could not be matted, so that the room is not seen.
final class FrameCover {
  /// Sigma of the blur that hides a whole frame, in pixels of a 720-line frame: no face and no room
  /// can be recognised, whatever radius the user set for the effect.
  private static let hidingRadius = 40.0

  private let kernels: any RowKernels.Type
  private let format: FrameFormat
  private let bands: Bands
  private var tools: (blur: BackgroundBlur, compositor: Compositor)?
  private var held: HeldPicture?
  private var holdsFrame = false

  /// Makes a cover for frames of `format`; its buffers are made when a frame first needs them.
  init(format: FrameFormat, bands: Bands, kernels: any RowKernels.Type) {
    self.kernels = kernels
    self.bands = bands
    self.format = format
  }

  /// Keeps a copy of a good output.
  func hold(_ picture: PicturePlanes) {
    if held?.isLike(picture) != true { held = HeldPicture(like: picture) }
    held?.take(picture)
    holdsFrame = true
  }

  /// Drops the kept output.
  func reset() {
    holdsFrame = false
  }

  /// Paints over `frame`, or `output` instead, as `settings.onFailure` says; the colour stands in for
  /// what is not there.
  ///
  /// The frame may be nil when there is an output and its pixels are not valid.
  func paint(
    _ frame: Frame?, into output: PicturePlanes?, settings: EffectSettings, pixelsAreValid: Bool
  ) {
    if settings.onFailure == .hold, holdsFrame, let held,
      let picture = output ?? frame.map({ PicturePlanes($0) }), held.isLike(picture)
    {
      held.give(to: picture)
      return
    }
    let tools = madeTools()
    if settings.onFailure == .blur, pixelsAreValid, let frame {
      tools.blur.blur(frame, without: nil)
      tools.compositor.fill(frame, with: .blur(tools.blur), into: output)
    } else {
      tools.compositor.fill(
        frame, with: .color(settings.backgroundColor, in: format), into: output)
    }
  }

  private func madeTools() -> (blur: BackgroundBlur, compositor: Compositor) {
    if let tools { return tools }
    let sigma = BackgroundBlur.sigma(radius: Self.hidingRadius, frameHeight: format.height)
    // No matte is ever shown here, so any grid will do.
    let grid = MatteGrid(format: format, width: 1, height: 1)
    let made = (
      BackgroundBlur(
        format: format, sigma: sigma, shift: BackgroundBlur.shift(sigma: sigma, sourceShift: 0),
        sourceShift: 0, grid: grid, kernels: kernels),
      Compositor(format: format, grid: grid, bands: bands, kernels: kernels)
    )
    tools = made
    return made
  }
}
