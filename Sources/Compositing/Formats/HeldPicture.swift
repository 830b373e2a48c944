import PixelTypes

/// A copy of a picture of any format.
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

  /// Whether a picture has the same format.
  ///
  /// Its size is assumed to be the same.
  func isLike(_ picture: PicturePlanes) -> Bool { format == picture.format }

  /// Copies a picture.
  func copy(from picture: PicturePlanes) {
    for (number, raster) in planes.enumerated() { copy(picture[number], to: raster.plane) }
  }

  /// Copies the held picture into another one.
  func copy(to picture: PicturePlanes) {
    for (number, raster) in planes.enumerated() { copy(raster.plane, to: picture[number]) }
  }

  private func copy(_ source: Plane, to target: Plane) {
    for y in 0..<min(source.height, target.height) {
      unsafe target.row(y).update(from: source.row(y), count: min(source.width, target.width))
    }
  }
}
