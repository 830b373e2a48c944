import CGStreamer
import Compositing
import GStreamerVideo
import PixelTypes

/// A decoded picture to show behind the person, in its original size.
///
/// Sendable because it is immutable after `init`. One thread may load it, and others may make
/// plates of it.
public final class BackgroundImage: @unchecked Sendable {
  /// The width in pixels.
  public var width: Int { pixels.width }
  /// The height in pixels.
  public var height: Int { pixels.height }

  /// The pixels: one byte each of red, green, blue and alpha, with colours multiplied by alpha.
  public let pixels: Raster<UInt32>
  private let isOpaque: Bool
  /// The pixel aspect ratio, width divided by height.
  private let pixelAspect: Double

  /// Takes ownership of `pixels`.
  ///
  /// `isMultiplied` means that their colours are already multiplied by alpha.
  init(_ pixels: Raster<UInt32>, isMultiplied: Bool = false, pixelAspect: Double) {
    self.pixelAspect = pixelAspect
    isOpaque = Self.multiplyByAlpha(pixels, isMultiplied: isMultiplied)
    self.pixels = pixels
  }

  /// Multiplies the colours by alpha unless `isMultiplied`, and returns whether every alpha is 255.
  ///
  /// Without this, scaling would mix the colour of transparent pixels into visible edges.
  private static func multiplyByAlpha(_ pixels: Raster<UInt32>, isMultiplied: Bool) -> Bool {
    var isOpaque = true
    for y in 0..<pixels.height {
      let row = unsafe pixels.row(y)
      for x in 0..<pixels.width {
        let pixel = unsafe UInt32(littleEndian: row[x])
        let alpha = pixel >> 24
        if alpha == 255 { continue }
        isOpaque = false
        if isMultiplied { return isOpaque }
        func multiply(_ sample: UInt32) -> UInt32 { (sample &* alpha &+ 127) / 255 }
        let (red, green, blue) = (pixel & 0xFF, pixel >> 8 & 0xFF, pixel >> 16 & 0xFF)
        let product = multiply(red) | multiply(green) << 8 | multiply(blue) << 16 | alpha << 24
        unsafe row[x] = product.littleEndian
      }
    }
    return isOpaque
  }

  /// Converts a decoded picture to RGBA and turns it upright.
  ///
  /// `location` is the location as the user wrote it, for errors. Throws an error if the picture is
  /// too large, cannot be converted, or does not fit in the memory.
  convenience init(
    _ picture: DecodedPicture, turned orientation: ImageOrientation, isMultiplied: Bool = false,
    location: String
  ) throws(BackgroundError) {
    let turned =
      try unsafe picture.withPixels {
        (buffer, info) throws(BackgroundError) -> (Raster<UInt32>, Double)? in
        // Check the size again: a decoder that uses its own memory sends no allocation query.
        let (width, height) = unsafe (Int(info.width), Int(info.height))
        guard PictureLimit.still.allows(width: width, height: height) else {
          throw PictureLimit.still.error(width: width, height: height, location)
        }
        do throws(OutOfMemory) {
          guard let pixels = try unsafe PictureConversion().makeRGBA(buffer, info) else {
            return nil
          }
          return unsafe (
            try orientation.apply(to: pixels), orientation.turned(pixelAspect: info.pixelAspect)
          )
        } catch {
          throw BackgroundError.outOfMemory(error.byteCount, location)
        }
      } ?? nil
    guard let (pixels, pixelAspect) = turned else {
      throw BackgroundError(
        .failed, location,
        "decodes to pixels that cannot be read or converted; save it as PNG or JPEG")
    }
    self.init(pixels, isMultiplied: isMultiplied, pixelAspect: pixelAspect)
  }

  /// Makes a plate of the picture for frames of `format`.
  ///
  /// `backgroundColor` is visible around the picture and through its transparent pixels. Its low 24
  /// bits are red, green and blue. The high 8 bits are ignored. Throws an error if there is not
  /// enough memory for the plate.
  func makePlate(
    for format: FrameFormat, fit: BackgroundFit, backgroundColor: UInt32
  ) throws(OutOfMemory) -> Plate {
    try Plate(allocating: format) { (frame) throws(OutOfMemory) in
      try paint(
        into: frame,
        by: PlatePainter(format: format, fit: fit, backgroundColor: backgroundColor))
    }
  }

  /// Paints the whole frame with the picture, after `orientation` turns it upright.
  ///
  /// Throws an error if there is not enough memory to turn the picture.
  func paint(
    into frame: Frame, by painter: PlatePainter, turned orientation: ImageOrientation = .upright
  ) throws(OutOfMemory) {
    try painter.paint(
      pixels, isOpaque: isOpaque, pixelAspect: pixelAspect, turned: orientation, into: frame)
  }
}
