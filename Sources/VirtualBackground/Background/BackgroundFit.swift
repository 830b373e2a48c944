import PixelTypes

/// How a picture is fitted to a frame of another shape.
public enum BackgroundFit: Equatable, Sendable {
  /// Fills the frame; the excess is cut off equally on both sides.
  case cover
  /// Shows the whole picture; the rest of the frame is background colour.
  case contain
  /// Fills the frame with the whole picture, distorted.
  case stretch

  /// The part of the picture that is shown, and where in the frame it is shown.
  ///
  /// All sizes are at least 1 and at most 16384. `pixelAspect` is the width of the picture's pixels
  /// divided by that of the frame's, if they have the same height: finite and above 0. Edges are
  /// rounded to pixels, those of the region of the frame to even ones where the picture does not reach
  /// the frame's border, for a chroma sample belongs to two by two pixels.
  public func regions(
    imageWidth: Int, imageHeight: Int, pixelAspect: Double = 1, frameWidth: Int, frameHeight: Int
  ) -> (source: PixelRegion, target: PixelRegion) {
    var source = PixelRegion(x: 0, y: 0, width: imageWidth, height: imageHeight)
    var target = PixelRegion(x: 0, y: 0, width: frameWidth, height: frameHeight)
    // Exact for square pixels: the products have less than 53 bits.
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

  /// An even offset and length that centre `extent` in `length`.
  private static func centre(_ extent: Int, in length: Int) -> (offset: Int, length: Int) {
    if extent >= length { return (0, length) }
    let even = min(max(2, (extent + 1) / 2 * 2), length)
    return ((length - even) / 4 * 2, even)
  }
}
