import PixelTypes

/// A way to fit a picture to a frame with another aspect ratio.
public enum BackgroundFit: Equatable, Sendable {
  /// Fills the frame, and crops the excess equally on both sides.
  case cover
  /// Shows the whole picture, and fills the remaining area with the background colour.
  case contain
  /// Fills the frame with the whole picture, ignoring the aspect ratio.
  case stretch

  /// Returns the visible part of the picture, and the region of the frame that contains it.
  ///
  /// All sizes must be 1 to 16384. `pixelAspect` is the picture's pixel aspect ratio divided by the
  /// frame's, and must be finite and above 0.
  ///
  /// The edges of the part are rounded to whole pixels. The edges of the region are rounded to even
  /// pixels, because a chroma sample covers two by two pixels. Edges on the border of the frame are
  /// not rounded.
  public func regions(
    imageWidth: Int, imageHeight: Int, pixelAspect: Double = 1, frameWidth: Int, frameHeight: Int
  ) -> (source: PixelRegion, target: PixelRegion) {
    var source = PixelRegion(x: 0, y: 0, width: imageWidth, height: imageHeight)
    var target = PixelRegion(x: 0, y: 0, width: frameWidth, height: frameHeight)
    // Exact for square pixels: the products have fewer than 53 bits.
    let shownWidth = Double(imageWidth) * pixelAspect
    let (shownHeight, width, height) = (
      Double(imageHeight), Double(frameWidth), Double(frameHeight)
    )
    let imageIsWider = shownWidth * height > width * shownHeight
    switch self {
    case .stretch:
      break
    case .cover where imageIsWider:
      source.width = max(1, Int((shownHeight * width / (height * pixelAspect)).rounded()))
      source.x = (imageWidth - source.width) / 2
    case .cover:
      source.height = max(1, Int((shownWidth * height / width).rounded()))
      source.y = (imageHeight - source.height) / 2
    case .contain where imageIsWider:
      (target.y, target.height) = Self.centre(
        Int((shownHeight * width / shownWidth).rounded()), in: frameHeight)
    case .contain:
      (target.x, target.width) = Self.centre(
        Int((shownWidth * height / shownHeight).rounded()), in: frameWidth)
    }
    return (source, target)
  }

  /// Returns an even offset and length that centre `extent` in `length`.
  private static func centre(_ extent: Int, in length: Int) -> (offset: Int, length: Int) {
    if extent >= length { return (0, length) }
    let even = min(max(2, (extent + 1) / 2 * 2), length)
    return ((length - even) / 4 * 2, even)
  }
}

extension Frame {
  /// Fills the frame with a colour.
  ///
  /// `color` contains red, green and blue in the low 24 bits. The high 8 bits are ignored.
  public func fill(with color: UInt32, in colorimetry: Colorimetry) {
    let code = colorimetry.codeValues(of: color)
    fill(luma: code.luma, cb: code.cb, cr: code.cr)
  }

  /// Fills the frame with code values.
  func fill(luma code: UInt8, cb: UInt8, cr: UInt8) {
    for y in 0..<luma.height { unsafe luma.row(y).update(repeating: code, count: luma.width) }
    for y in 0..<chroma.height {
      let row = unsafe chroma.row(y)
      for x in stride(from: 0, to: chroma.width, by: 2) {
        unsafe row[x] = cb
        unsafe row[x + 1] = cr
      }
    }
  }
}
