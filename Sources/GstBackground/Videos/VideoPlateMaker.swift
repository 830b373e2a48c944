import CGStreamer
import PixelTypes
import Processor
import VirtualBackground

/// Makes plates of the pictures of a video, in memory that is used again and again.
///
/// Used by the video's thread alone.
final class VideoPlateMaker {
  private let specification: PlateSpecification
  private let pool: PlatePool
  private let painter: VideoPainter
  private let conversion = VideoConversion()
  private var turned: [Raster<UInt8>] = []

  /// Makes plates as ordered, of which at most `count` are in use at the same time.
  init(_ specification: PlateSpecification, count: Int) {
    self.specification = specification
    pool = PlatePool(format: specification.format, capacity: count)
    painter = VideoPainter(
      format: specification.format, fit: specification.fit,
      backgroundColor: specification.backgroundColor,
      kernels: InstructionSet.current.kernels)
  }

  /// The plate of a picture; nil when the picture cannot be converted or all plates are in use.
  ///
  /// Throws when there is no memory for it.
  func makePlate(
    of picture: DecodedPicture, turned orientation: ImageOrientation
  ) throws(OutOfMemory) -> Plate? {
    try unsafe picture.withPixels { (buffer, info) throws(OutOfMemory) -> Plate? in
      let (width, height) = unsafe (Int(info.width), Int(info.height))
      guard width > 0, height > 0, PictureLimit.moving.allows(width: width, height: height) else {
        return nil
      }
      if unsafe VideoConversion.needsAlphaOrRGB(info) {
        guard let pixels = try unsafe BackgroundImageConversion.makeRGBA(buffer, info) else {
          return nil
        }
        let image = BackgroundImage(try orientation.apply(to: pixels))
        return try pool.makePlate { (frame) throws(OutOfMemory) in
          image.paint(
            into: frame, of: specification.format, fit: specification.fit,
            backgroundColor: specification.backgroundColor)
        }
      }
      return try unsafe conversion.withPicture(of: buffer, info) {
        (picture) throws(OutOfMemory) in
        let upright = try turn(picture, orientation)
        return try pool.makePlate { (frame) throws(OutOfMemory) in
          try painter.paint(upright, into: frame)
        }
      }
    } ?? nil
  }

  /// The picture as it is to be looked at; its planes are valid until the next call.
  private func turn(
    _ picture: VideoPicture, _ orientation: ImageOrientation
  ) throws(OutOfMemory) -> VideoPicture {
    guard orientation != .upright, case .planar(let cb, let cr) = picture.chroma else {
      return picture
    }
    let planes = [picture.luma, cb, cr]
    func size(_ plane: Plane) -> (width: Int, height: Int) {
      orientation.transposes ? (plane.height, plane.width) : (plane.width, plane.height)
    }
    if !zip(planes, turned).allSatisfy({ size($0) == ($1.width, $1.height) }) || turned.isEmpty {
      turned = []
      for plane in planes {
        let (width, height) = size(plane)
        turned.append(try Raster(allocating: width, height: height, filledWith: 0))
      }
    }
    for (plane, raster) in zip(planes, turned) { orientation.turn(plane, into: raster) }
    return VideoPicture(
      luma: turned[0].plane, chroma: .planar(cb: turned[1].plane, cr: turned[2].plane),
      colorimetry: picture.colorimetry,
      pixelAspect: orientation.transposes ? 1 / picture.pixelAspect : picture.pixelAspect)
  }
}
