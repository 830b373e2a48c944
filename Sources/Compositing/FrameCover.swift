import Matting
import PixelTypes

/// Covers frames without a matte, so that the real background is not visible, or converts them.
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

  private let format: FrameFormat
  private let bands: Bands
  private var blur: BackgroundBlur?
  private lazy var compositor = Compositor(
    // No pass of this compositor has a matte, so any grid is suitable.
    format: format, grid: MatteGrid(format: format, shift: 0), bands: bands)
  private var held: HeldPicture?
  /// The part of its frame that the held output shows, or nil without a held output.
  private var heldRegion: ShownRegion?

  /// Creates a cover for frames of `format`, which allocates its buffers when it first needs them.
  package init(format: FrameFormat, bands: Bands) {
    self.bands = bands
    self.format = format
  }

  /// Keeps a copy of a good output, which shows `region` of its frame.
  package func hold(_ picture: PicturePlanes, of region: ShownRegion) {
    if held?.isLike(picture) != true { held = HeldPicture(like: picture) }
    held?.copy(from: picture)
    heldRegion = region
  }

  package func reset() {
    heldRegion = nil
  }

  /// Covers the frame, and writes the result to `output` or, if that is nil, to `frame` itself.
  ///
  /// Returns the part of a frame that the result shows.
  ///
  /// - `color` is RGB in the low 24 bits. It also replaces a missing picture.
  /// - `frame` may be nil if there is an `output` and `pixelsAreValid` is false.
  package func paint(
    _ frame: Frame?, into output: PicturePlanes?, style: Style, color: UInt32,
    pixelsAreValid: Bool
  ) -> ShownRegion {
    if style == .hold, let heldRegion, let held,
      let picture = output ?? frame.map({ PicturePlanes($0) }), held.isLike(picture)
    {
      held.copy(to: picture)
      return heldRegion
    }
    if style == .blur, pixelsAreValid, let frame {
      let blur = madeBlur()
      blur.blur(frame, without: nil)
      compositor.fill(frame, with: .blur(blur), into: output)
    } else {
      compositor.fill(frame, with: .color(color, in: format), into: output)
    }
    return .whole
  }

  /// Writes a frame that needs no cover to a picture of another format.
  package func convert(_ frame: Frame, into output: PicturePlanes) {
    compositor.convert(frame, into: output)
  }

  private func madeBlur() -> BackgroundBlur {
    if let blur { return blur }
    let sigma = BackgroundBlur.sigma(radius: Self.hidingRadius, frameHeight: format.height)
    let made = BackgroundBlur(
      format: format, sigma: sigma, shift: BackgroundBlur.shift(sigma: sigma, sourceShift: 0),
      sourceShift: 0, grid: compositor.grid)
    blur = made
    return made
  }
}
