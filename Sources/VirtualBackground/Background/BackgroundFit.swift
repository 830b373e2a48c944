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
  /// All sizes are at least 1 and at most 16384. Edges are rounded to pixels, those of the region
  /// of the frame to even ones where the picture does not reach the frame's border, for a chroma
  /// sample belongs to two by two pixels.
  public func regions(
    imageWidth: Int, imageHeight: Int, frameWidth: Int, frameHeight: Int
  ) -> (source: PixelRegion, target: PixelRegion) {
    var source = PixelRegion(x: 0, y: 0, width: imageWidth, height: imageHeight)
    var target = PixelRegion(x: 0, y: 0, width: frameWidth, height: frameHeight)
    // Compares the two aspect ratios without rounding.
    let imageIsWider = imageWidth * frameHeight > frameWidth * imageHeight
    switch self {
    case .stretch:
      break
    case .cover where imageIsWider:
      source.width = max(1, Self.divide(imageHeight * frameWidth, by: frameHeight))
      source.x = (imageWidth - source.width) / 2
    case .cover:
      source.height = max(1, Self.divide(imageWidth * frameHeight, by: frameWidth))
      source.y = (imageHeight - source.height) / 2
    case .contain where imageIsWider:
      (target.y, target.height) = Self.centre(
        extent: imageHeight * frameWidth, dividedBy: imageWidth, in: frameHeight)
    case .contain:
      (target.x, target.width) = Self.centre(
        extent: imageWidth * frameHeight, dividedBy: imageHeight, in: frameWidth)
    }
    return (source, target)
  }

  /// The quotient, rounded to nearest.
  private static func divide(_ dividend: Int, by divisor: Int) -> Int {
    (dividend + divisor / 2) / divisor
  }

  /// An even offset and length that centre the quotient in `length`.
  private static func centre(
    extent: Int, dividedBy divisor: Int, in length: Int
  ) -> (offset: Int, length: Int) {
    let extent = divide(extent, by: divisor)
    if extent >= length { return (0, length) }
    let even = min(max(2, (extent + 1) / 2 * 2), length)
    return ((length - even) / 4 * 2, even)
  }
}
