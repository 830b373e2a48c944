import Matting
import PixelTypes

/// Covers frames without a matte, so that the real background is not visible, or converts them.
package final class FrameCover {
  private let format: FrameFormat
  private let bands: Bands
  /// The radius of a blur that makes every face and background unrecognisable.
  private static let hidingRadius = 40.0
  private lazy var blur: BackgroundBlur = {
    let sigma = BackgroundBlur.sigma(radius: Self.hidingRadius, frameHeight: format.height)
    return BackgroundBlur(
      format: format, sigma: sigma, shift: BackgroundBlur.shift(sigma: sigma, sourceShift: 0),
      sourceShift: 0, grid: compositor.grid)
  }()
  private lazy var compositor = Compositor(
    // No pass of this compositor has a matte, so any grid is suitable.
    format: format, grid: MatteGrid(format: format, shift: 0), bands: bands)
  private var held: HeldPicture?
  /// The part of its frame that the held output shows, or nil without a held output.
  private var heldRegion: ShownRegion?

  /// Creates a cover for frames of `format`, which allocates its buffers when it first needs them.
  package init(format: FrameFormat, bands: Bands) {
    (self.format, self.bands) = (format, bands)
  }

  /// Keeps a copy of a good output, which shows `region` of its frame.
  package func hold(_ picture: PicturePlanes, of region: ShownRegion) {
    if held?.isLike(picture) != true { held = HeldPicture(like: picture) }
    held?.copy(from: picture)
    heldRegion = region
  }

  package func reset() { heldRegion = nil }

  /// Writes the held output to `picture`, and returns the part of its frame that it shows.
  ///
  /// Returns nil if no output of this format is held.
  package func restore(_ picture: PicturePlanes) -> ShownRegion? {
    guard let heldRegion, let held, held.isLike(picture) else { return nil }
    held.copy(to: picture)
    return heldRegion
  }

  /// Covers a whole picture with `frame`, blurred beyond recognition.
  package func paint(_ frame: Frame, into picture: PicturePlanes) {
    blur.blur(frame, without: nil)
    compositor.draw(nil, matte: nil, over: .blur(blur), into: picture)
  }

  /// Covers a whole picture with a colour, with RGB in the low 24 bits.
  package func paint(_ color: UInt32, into picture: PicturePlanes) {
    compositor.draw(nil, matte: nil, over: .color(color, in: format), into: picture)
  }

  /// Writes a frame that needs no cover to a picture of another format.
  package func convert(_ frame: Frame, into output: PicturePlanes) {
    compositor.draw(frame, matte: nil, over: nil, into: output)
  }
}

/// A copy of a picture, in any format.
private final class HeldPicture {
  private let format: PixelFormat
  private let planes: [Raster<UInt8>]

  /// Allocates memory for pictures of the same format and size.
  init(like picture: PicturePlanes) {
    format = picture.format
    planes = (0..<picture.format.planeCount).map {
      Raster(width: picture[$0].width, height: picture[$0].height, filledWith: 0)
    }
  }

  /// Returns whether a picture has the same format.
  ///
  /// All pictures must have the same size.
  func isLike(_ picture: PicturePlanes) -> Bool { format == picture.format }

  /// Copies `picture` into this object.
  func copy(from picture: PicturePlanes) {
    for (number, raster) in planes.enumerated() { copy(picture[number], to: raster.plane) }
  }

  /// Copies the held picture into `picture`.
  func copy(to picture: PicturePlanes) {
    for (number, raster) in planes.enumerated() { copy(raster.plane, to: picture[number]) }
  }

  private func copy(_ source: Plane, to target: Plane) {
    for y in 0..<min(source.height, target.height) {
      unsafe target.row(y).update(from: source.row(y), count: min(source.width, target.width))
    }
  }
}
