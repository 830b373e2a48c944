import Matting
import PixelTypes

/// Covers frames without a matte, so that the real background is not visible.
package final class FrameCover {
  /// The content that replaces a frame.
  package enum Style {
    /// The whole frame, blurred beyond recognition.
    case blur
    /// A uniform colour.
    case color
    /// The last good output.
    case hold
  }

  /// The sigma of the blur over a whole frame, in pixels of a 720-line frame.
  ///
  /// It makes every face and background unrecognisable, regardless of the user's blur radius.
  private static let hidingRadius = 40.0

  private let kernels: any RowKernels.Type
  private let format: FrameFormat
  private let bands: Bands
  private var tools: (blur: BackgroundBlur, compositor: Compositor)?
  private var held: HeldPicture?
  private var holdsFrame = false

  /// Creates a cover for frames of `format`, which allocates its buffers when it first needs them.
  package init(format: FrameFormat, bands: Bands, kernels: any RowKernels.Type) {
    self.kernels = kernels
    self.bands = bands
    self.format = format
  }

  /// Keeps a copy of a good output.
  package func hold(_ picture: PicturePlanes) {
    if held?.isLike(picture) != true { held = HeldPicture(like: picture) }
    held?.copy(from: picture)
    holdsFrame = true
  }

  /// Discards the held output.
  package func reset() {
    holdsFrame = false
  }

  /// Covers the frame, and writes the result to `output` or, if that is nil, to `frame` itself.
  ///
  /// - `color` is RGB in the low 24 bits. It also replaces a missing picture.
  /// - `frame` may be nil if there is an `output` and `pixelsAreValid` is false.
  package func paint(
    _ frame: Frame?, into output: PicturePlanes?, style: Style, color: UInt32,
    pixelsAreValid: Bool
  ) {
    if style == .hold, holdsFrame, let held,
      let picture = output ?? frame.map({ PicturePlanes($0) }), held.isLike(picture)
    {
      held.copy(to: picture)
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
    // No pass of this compositor has a matte, so any grid is suitable.
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
