import CGStreamer
import Compositing
import GStreamerVideo
import PixelTypes

/// Makes plates of the pictures of a video, and reuses their memory.
///
/// Plates have the size of the frames. Decoded pictures have the size of the video. Used only on
/// the video's thread.
final class VideoPlateMaker {
  /// The limit for plates and decoded pictures together, in bytes.
  ///
  /// A few plates are always allowed, even if they exceed the limit.
  static let maxBytes = 256 << 20
  /// The maximum number of plates that are made ahead, to be shown while the video seeks to its
  /// start.
  private static let maxPlatesAhead = 4
  /// The number of plates in use in addition to those that are made ahead.
  ///
  /// These are the current plate, the previous plate, the plates of the last light wrap and of the
  /// last light match, and the plate that is being painted.
  private static let othersInUse = 5

  /// The number of the specification.
  let number: Int
  /// The maximum number of plates that are made ahead for this format.
  let platesAhead: Int
  /// The limit for decoded pictures, in bytes.
  let pictureBytes: Int
  private let pool: PlatePool
  private let painter: PlatePainter
  private let conversion = PictureConversion()

  /// Divides `maxBytes` between plates for a specification and decoded pictures.
  init(_ specification: PlateSpecification, number: Int, maxBytes: Int) {
    self.number = number
    let format = specification.format
    let forPlates = maxBytes / 2 / format.byteCount - Self.othersInUse
    platesAhead = min(max(forPlates, 1), Self.maxPlatesAhead)
    let count = platesAhead + Self.othersInUse
    pictureBytes = max(maxBytes - count * format.byteCount, 0)
    pool = PlatePool(format: format, capacity: count)
    painter = PlatePainter(
      format: format, fit: specification.fit, backgroundColor: specification.backgroundColor)
  }

  /// Makes a plate of a picture that `orientation` turns upright.
  ///
  /// Returns nil if the picture cannot be converted, or if all plates are in use. Throws an error
  /// if there is not enough memory.
  func makePlate(
    of picture: DecodedPicture, turned orientation: ImageOrientation
  ) throws(OutOfMemory) -> Plate? {
    try unsafe picture.withPixels { (buffer, info) throws(OutOfMemory) -> Plate? in
      let source = unsafe FrameFormat(
        width: Int(info.width), height: Int(info.height),
        colorimetry: Colorimetry(info.colorimetry, frameHeight: Int(info.height)),
        pixelAspect: info.pixelAspect, orientation: orientation)
      guard source.width > 0, source.height > 0,
        PictureLimit.moving.allows(width: source.width, height: source.height)
      else { return nil }
      if unsafe PictureConversion.needsAlphaOrRGB(info) {
        guard let pixels = try unsafe conversion.makeRGBA(buffer, info) else { return nil }
        let image = BackgroundImage(pixels, pixelAspect: source.pixelAspect)
        return try pool.makePlate { (frame) throws(OutOfMemory) in
          try image.paint(into: frame, by: painter, turned: orientation)
        }
      }
      return try unsafe conversion.withNV12(of: buffer, info) { (picture) throws(OutOfMemory) in
        try pool.makePlate { (frame) throws(OutOfMemory) in
          try painter.paint(picture, of: source, into: frame)
        }
      }
    } ?? nil
  }
}
