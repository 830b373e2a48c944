import PixelTypes
import VirtualBackground

/// A still picture to put behind the person, decoded and upright, at its own size.
///
/// Sendable because nothing changes it once it is made: it may be loaded on one thread and made into
/// plates on others.
final class BackgroundImage: @unchecked Sendable {
  /// The longest side that is taken, in pixels.
  static let largestSide = 16_384
  /// The most pixels that are taken; at four bytes each they are half a gibibyte.
  static let mostPixels = 1 << 27
  /// How long decoding may take, in seconds.
  private static let patience = 20

  /// Width in pixels, as it is to be looked at.
  var width: Int { pixels.width }
  /// Height in pixels, as it is to be looked at.
  var height: Int { pixels.height }

  /// Red, green, blue and alpha bytes, the colours not multiplied by alpha.
  let pixels: Raster<UInt32>
  /// Whether no pixel lets the background colour through.
  private let isOpaque: Bool

  private init(_ pixels: Raster<UInt32>) {
    self.pixels = pixels
    isOpaque = pixels.isOpaque
  }

  /// Decodes the picture at a path or URI; of a video, the first frame.
  ///
  /// Everything that GStreamer decodes is taken. Relative paths begin at the working directory. Blocks
  /// the calling thread while it reads and decodes, up to about 20 seconds.
  static func load(pathOrURI location: String) throws(BackgroundError) -> BackgroundImage {
    let file = try BackgroundImageFile(path: location, location: location)
    let decoder = try BackgroundImageDecoder(
      .descriptor(file.descriptor, size: file.size), location: location)
    return BackgroundImage(try decoder.firstPicture(seconds: patience))
  }

  /// Fits the picture to frames of `format`, over `backgroundColor` where it is transparent or does
  /// not reach.
  ///
  /// Red, green and blue of the colour are the low 24 bits; the high 8 are not looked at. Throws when
  /// GStreamer cannot convert.
  func makePlate(
    for format: FrameFormat, fit: Fit, backgroundColor: UInt32
  ) throws(BackgroundError) -> Plate {
    let (part, place) = fit.place(
      imageWidth: width, imageHeight: height, frameWidth: format.width, frameHeight: format.height)
    let opaque = isOpaque ? pixels : pixels.flattened(over: backgroundColor)
    return try Plate(format: format) { frame throws(BackgroundError) in
      fill(frame, with: backgroundColor, format.colorimetry)
      guard
        BackgroundImageConversion.paint(
          opaque, part: part, into: frame, at: place, colorimetry: format.colorimetry)
      else {
        throw BackgroundError(
          kind: .failed, location: "", reason: "cannot be converted to the frame's format")
      }
    }
  }

  private func fill(_ frame: Frame, with color: UInt32, _ colorimetry: Colorimetry) {
    let (luma, cb, cr) = colorimetry.codeValues(
      red: UInt8(truncatingIfNeeded: color >> 16), green: UInt8(truncatingIfNeeded: color >> 8),
      blue: UInt8(truncatingIfNeeded: color))
    for y in 0..<frame.luma.height {
      unsafe frame.luma.row(y).update(repeating: luma, count: frame.luma.width)
    }
    for y in 0..<frame.chroma.height {
      let row = unsafe frame.chroma.row(y)
      for x in stride(from: 0, to: frame.chroma.width, by: 2) {
        unsafe row[x] = cb
        unsafe row[x + 1] = cr
      }
    }
  }
}
