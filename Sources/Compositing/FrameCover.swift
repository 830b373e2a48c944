import Matting
import PixelTypes

/// Paints over frames that could not be matted, so that the room is not seen.
package final class FrameCover {
  /// What a frame is painted over with.
  package enum Style {
    /// The whole frame, blurred beyond recognition.
    case blur
    /// A colour.
    case color
    /// The last good output.
    case hold
  }

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
  package init(format: FrameFormat, bands: Bands, kernels: any RowKernels.Type) {
    self.kernels = kernels
    self.bands = bands
    self.format = format
  }

  /// Keeps a copy of a good output.
  package func hold(_ picture: PicturePlanes) {
    if held?.isLike(picture) != true { held = HeldPicture(like: picture) }
    held?.take(picture)
    holdsFrame = true
  }

  /// Drops the kept output.
  package func reset() {
    holdsFrame = false
  }

  /// Paints over `frame`, or `output` instead, as `style` says.
  ///
  /// The colour, given as RGB in the low 24 bits, replaces a picture that is missing.
  ///
  /// The frame may be nil when there is an output and its pixels are not valid.
  package func paint(
    _ frame: Frame?, into output: PicturePlanes?, style: Style, color: UInt32,
    pixelsAreValid: Bool
  ) {
    if style == .hold, holdsFrame, let held,
      let picture = output ?? frame.map({ PicturePlanes($0) }), held.isLike(picture)
    {
      held.give(to: picture)
      return
    }
    let tools = madeTools()
    if style == .blur, pixelsAreValid, let frame {
      tools.blur.blur(frame, without: nil)
      tools.compositor.fill(frame, with: .blur(tools.blur), into: output)
    } else {
      tools.compositor.fill(
        frame, with: .color(color, in: format), into: output)
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
