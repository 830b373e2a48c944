import CGStreamer
import Glibc
import Processor
import PixelTypes
import VirtualBackground

/// A still picture to put behind the person, decoded and upright, at its own size.
///
/// Sendable because nothing changes it once it is made: it may be loaded on one thread and made into
/// plates on others.
final class BackgroundImage: @unchecked Sendable {
  /// The longest side that is taken, in pixels.
  private static let largestSide = 16_384
  /// The most pixels that are taken; at four bytes each they are half a gibibyte.
  private static let mostPixels = 1 << 27

  /// Width in pixels, as it is to be looked at.
  var width: Int { pixels.width }
  /// Height in pixels, as it is to be looked at.
  var height: Int { pixels.height }

  /// Bytes of red, green and blue, each multiplied by alpha, and alpha.
  let pixels: Raster<UInt32>
  /// Whether no pixel lets the background colour through.
  private let isOpaque: Bool

  /// Takes over pixels whose colours are not yet multiplied by alpha.
  private init(_ pixels: Raster<UInt32>) {
    isOpaque = Self.multiplyByAlpha(pixels)
    self.pixels = pixels
  }

  /// Multiplies the colours by alpha, so that scaling brings no colour to an edge that alpha hides.
  ///
  /// Returns whether every alpha is 255.
  private static func multiplyByAlpha(_ pixels: Raster<UInt32>) -> Bool {
    var isOpaque = true
    for y in 0..<pixels.height {
      let row = unsafe pixels.row(y)
      for x in 0..<pixels.width {
        let pixel = unsafe UInt32(littleEndian: row[x])
        let alpha = pixel >> 24
        if alpha == 255 { continue }
        isOpaque = false
        func multiply(_ sample: UInt32) -> UInt32 { (sample &* alpha &+ 127) / 255 }
        let (red, green, blue) = (pixel & 0xFF, pixel >> 8 & 0xFF, pixel >> 16 & 0xFF)
        let product =
          multiply(red) | multiply(green) << 8 | multiply(blue) << 16 | alpha << 24
        unsafe row[x] = product.littleEndian
      }
    }
    return isOpaque
  }

  /// Decodes the picture at a path or URI and turns it upright; of a video, the first frame.
  ///
  /// Everything that GStreamer decodes is taken, of any source that it has; relative paths begin at
  /// the working directory. A name that has `://` in it or begins with `file:` or `data:` is a URI.
  /// The orientation is read from files and from the tags of streams. Blocks the calling thread while
  /// it reads and decodes, for `patience` at most once the source is open.
  static func load(
    pathOrURI location: String, patience: Duration = .seconds(20)
  ) throws(BackgroundError) -> BackgroundImage {
    guard let path = try path(of: location) else {
      let (pixels, orientation) = try BackgroundImageDecoder(uri: location)
        .firstPicture(within: patience)
      return BackgroundImage((orientation ?? .upright).apply(to: pixels))
    }
    let file = try BackgroundImageFile(path: path, location: location)
    let inspection = BackgroundImageInspection(file)
    if inspection.isCutShort {
      throw BackgroundError(
        kind: .damaged, location: location,
        reason: "is cut short: the file ends before the picture does; give an intact picture")
    }
    if let (width, height) = inspection.size, !isTaken(width: width, height: height) {
      throw tooLarge(width: width, height: height, location)
    }
    let (pixels, orientation) = try BackgroundImageDecoder(
      file, by: inspection.isDeepColorPNG ? .pixbuf : .any, location: location
    )
    .firstPicture(within: patience)
    return BackgroundImage(
      (inspection.orientation ?? orientation ?? .upright).apply(to: pixels))
  }

  /// Whether a picture of a size is taken.
  static func isTaken(width: Int, height: Int) -> Bool {
    // Sides within the limit cannot overflow the product.
    max(width, height) <= largestSide && width * height <= mostPixels
  }

  /// A picture of more pixels than are taken.
  static func tooLarge(width: Int, height: Int, _ location: String) -> BackgroundError {
    BackgroundError(
      kind: .tooLarge, location: location,
      reason: """
        has \(width)x\(height) pixels; at most \(largestSide) a side and \
        \(mostPixels / 1_000_000) million in all are taken: shrink it
        """)
  }

  /// The path of a file in the file system; nil for a URI of something else.
  private static func path(of location: String) throws(BackgroundError) -> String? {
    // Opened as files, with the checks of files, however the scheme is written.
    if unsafe gst_uri_has_protocol(location, "file") != 0 {
      guard let path = unsafe g_filename_from_uri(location, nil, nil) else {
        throw BackgroundError(
          kind: .notFound, location: location,
          reason: "is no valid file URI; write it as file:///folder/picture.png, or give the path")
      }
      defer { unsafe g_free(path) }
      return unsafe String(cString: path)
    }
    let isURI = unsafe location.hasPrefix("data:") || strstr(location, "://") != nil
    return unsafe isURI && gst_uri_is_valid(location) != 0 ? nil : location
  }

  /// Fits the picture to frames of `format`, over `backgroundColor` where it is transparent or does
  /// not reach.
  ///
  /// Red, green and blue of the colour are the low 24 bits; the high 8 are not looked at.
  func makePlate(
    for format: FrameFormat, fit: Fit, backgroundColor: UInt32
  ) -> Plate {
    let (part, place) = fit.place(
      imageWidth: width, imageHeight: height, frameWidth: format.width, frameHeight: format.height)
    let painter = PicturePainter(kernels: InstructionSet.current.kernels)
    return Plate(format: format) { frame in
      if fit == .contain { fill(frame, with: backgroundColor, format.colorimetry) }
      painter.paint(
        pixels, part: part, isOpaque: isOpaque, over: backgroundColor, into: frame, at: place,
        colorimetry: format.colorimetry)
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
