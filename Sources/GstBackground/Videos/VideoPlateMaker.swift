import CGStreamer
import Compositing
import GStreamerVideo
import PixelTypes

/// Makes plates of the pictures of a video, and reuses their memory.
///
/// Used only on the video's thread.
final class VideoPlateMaker {
  private let pool: PlatePool
  private let painter: PlatePainter
  private let conversion = PictureConversion()

  /// Creates an object that makes plates for `specification`.
  ///
  /// At most `count` plates are in use at the same time.
  init(_ specification: PlateSpecification, count: Int) {
    pool = PlatePool(format: specification.format, capacity: count)
    painter = PlatePainter(
      format: specification.format, fit: specification.fit,
      backgroundColor: specification.backgroundColor)
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
