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
  /// Converts unmodified frames to another format.
  private var converter: Compositor?

  /// The parameters of a `RoomBlur`.
  private struct BlurKey: Equatable {
    var shape: EffectSettings.BlurShape
    var sigma: Double
    var sourceShift: Int
    var grid: MatteGrid
  }

  /// A frame with its matte.
  struct Input {
    var frame: Frame
    /// The same frame, reduced by `1 << shift`.
    var reduced: Frame
    let shift: Int
    var matte: Matte
    /// Whether the matte follows the edge of the person exactly.
    let isExact: Bool
  }

  /// Creates a composer for frames of `format`.
  init(format: FrameFormat, bands: Bands, kernels: any RowKernels.Type) {
    (self.format, self.bands, self.kernels) = (format, bands, kernels)
  }

  /// Composes a frame, in place or into `output`.
  ///
  /// `plate` is the background to show if the effect replaces it.
  func compose(
    _ input: Input, over plate: Plate?, _ settings: EffectSettings, into output: PicturePlanes?
  ) {
    let (frame, matte) = (input.frame, input.matte)
    let compositor = compositor(grid: matte.grid)
    let composition = Composition(settings, outputHasAlpha: output?.format.hasAlpha == true)
    var background: BackgroundFill?
    switch composition {
    case .matte:
      compositor.show(matte, in: frame, into: output)
      return
    case .unchanged:
      if let output { compositor.convert(frame, into: output) }
      return
    case .isolated: break
    case .replaced: background = self.background(of: settings, plate)
    case .blurred:
      let blur = backgroundBlur(
        settings.blurShape,
        sigma: BackgroundBlur.sigma(
          radius: settings.blurRadius, frameHeight: format.upright.height),
        sourceShift: input.shift, grid: matte.grid)
      blur.blur(blur.shift >= input.shift ? input.reduced : frame, without: matte)
      background = .blur(blur)
    }
    var treatment: EdgeTreatment?
    if composition.treatsEdge(with: settings, isExact: input.isExact) {
      let edge = edgeTreatment(sourceShift: input.shift, matteGrid: matte.grid)
      edge.prepare(
        input.reduced, matte: matte, over: background, despills: settings.despill,
        lightAmount: settings.lightWrap)
      treatment = edge
    }
    if let background {
      compositor.compose(frame, matte: matte, over: background, edge: treatment, into: output)
    } else if let output {
      compositor.isolate(frame, matte: matte, edge: treatment, into: output)
    }
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
    let made = Compositor(
      format: format, grid: grid, bands: bands, kernels: kernels)
    compositor = made
    return made
  }

  private func background(of settings: EffectSettings, _ plate: Plate?) -> BackgroundFill {
    // A plate of another format cannot be shown. The colour also hides the background.
    if settings.effect == .replace, let plate, plate.format == format { return .plate(plate) }
    return .color(settings.backgroundColor, in: format)
  }

  private func edgeTreatment(
    sourceShift: Int, matteGrid: MatteGrid
  ) -> EdgeTreatment {
    if let edge, edge.isCompatible(sourceShift: sourceShift, matteGrid: matteGrid) { return edge }
    let made = EdgeTreatment(
      format: format, sourceShift: sourceShift, matteGrid: matteGrid, kernels: kernels)
    edge = made
    return made
  }

  private func backgroundBlur(
    _ shape: EffectSettings.BlurShape, sigma: Double, sourceShift: Int,
    grid: MatteGrid
  ) -> any RoomBlur {
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
