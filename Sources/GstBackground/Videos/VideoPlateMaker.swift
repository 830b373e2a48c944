import CGStreamer
import Compositing
import GStreamerVideo
import PixelTypes

/// Makes plates of the pictures of a video, and reuses their memory.
///
/// Used only on the video's thread.
final class VideoPlateMaker {
  private let specification: PlateSpecification
  private let pool: PlatePool
  private let painter: VideoPainter
  private let conversion = VideoConversion()
  private var turned: [Raster<UInt8>] = []

  /// Creates an object that makes plates for `specification`.
  ///
  /// At most `count` plates are in use at the same time.
  init(_ specification: PlateSpecification, count: Int) {
    self.specification = specification
    pool = PlatePool(format: specification.format, capacity: count)
    painter = VideoPainter(
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
      let (width, height) = unsafe (Int(info.width), Int(info.height))
      guard width > 0, height > 0, PictureLimit.moving.allows(width: width, height: height) else {
        return nil
      }
      if unsafe VideoConversion.needsAlphaOrRGB(info) {
        guard let pixels = try unsafe BackgroundImageConversion.makeRGBA(buffer, info) else {
          return nil
        }
        let image = unsafe BackgroundImage(
          try orientation.apply(to: pixels),
          pixelAspect: orientation.turned(pixelAspect: info.pixelAspect))
        return try pool.makePlate { (frame) throws(OutOfMemory) in
          try image.paint(
            into: frame, of: specification.format, fit: specification.fit,
            backgroundColor: specification.backgroundColor)
        }
      }
      return try unsafe conversion.withPicture(of: buffer, info) {
        (picture) throws(OutOfMemory) in
        // Turn the picture upright, and then into the orientation of the frames.
        let turned = try turn(
          picture, orientation.followed(by: specification.format.orientation.inverse))
        return try pool.makePlate { (frame) throws(OutOfMemory) in
          try painter.paint(turned, into: frame)
        }
      }
    } ?? nil
  }

  /// Returns the turned picture.
  ///
  /// Its planes are valid until the next call.
  private func turn(
    _ picture: VideoPicture, _ orientation: ImageOrientation
  ) throws(OutOfMemory) -> VideoPicture {
    guard orientation != .upright else { return picture }
    var next = 0
    func turn(_ plane: Plane, ofPairs: Bool = false) throws(OutOfMemory) -> Plane {
      defer { next += 1 }
      let bytes = ofPairs ? 2 : 1
      var (width, height) = orientation.turned(width: plane.width / bytes, height: plane.height)
      width *= bytes
      if next == turned.count { turned.append(Raster(width: 0, height: 0, filledWith: 0)) }
      if (turned[next].width, turned[next].height) != (width, height) {
        turned[next] = try Raster(allocating: width, height: height, filledWith: 0)
      }
      let result = turned[next].plane
      if ofPairs {
        orientation.turnPairs(plane, into: result)
      } else {
        orientation.turn(plane, into: result)
      }
      return result
    }
    let luma = try turn(picture.luma)
    let chroma: VideoPicture.Chroma =
      switch picture.chroma {
      case .interleaved(let pairs): .interleaved(try turn(pairs, ofPairs: true))
      case .planar(let cb, let cr): .planar(cb: try turn(cb), cr: try turn(cr))
      }
    return VideoPicture(
      luma: luma, chroma: chroma, colorimetry: picture.colorimetry,
      pixelAspect: orientation.turned(pixelAspect: picture.pixelAspect))
  }
}
