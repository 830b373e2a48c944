import PixelTypes

/// A copy of a picture, in any format.
final class HeldPicture {
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
