/// The size limit of a background.
enum PictureLimit {
  /// The limit for a single picture: 134 million pixels, half a gibibyte at four bytes per pixel.
  case still
  /// The limit for a picture of a video: 33 million pixels, enough for 7680x4320.
  ///
  /// It is lower because decoders and the element keep several pictures of a video.
  case moving

  /// The maximum width and height, in pixels.
  private static let maxSide = 16_384

  private var maxPixels: Int { self == .still ? 1 << 27 : 1 << 25 }

  /// Returns whether a picture of this size is allowed.
  func allows(width: Int, height: Int) -> Bool {
    // Sides within the limit cannot overflow the product.
    max(width, height) <= Self.maxSide && width * height <= maxPixels
  }

  /// Returns the error for a picture that exceeds the limit.
  func error(width: Int, height: Int, _ location: String) -> BackgroundError {
    let (what, remedy) =
      switch self {
      case .still: ("", "shrink it")
      case .moving: (" for a video or an animated GIF", "shrink it, or use a still picture")
      }
    return BackgroundError(
      .tooLarge, location,
      """
      has \(width)x\(height) pixels; the maximum\(what) is \(Self.maxSide) per side and \
      \(maxPixels / 1_000_000) million in total: \(remedy)
      """)
  }

  /// Returns the error for pictures that are too large, or that do not fit in the memory.
  ///
  /// Returns nil if the pictures may be decoded. `byteCount` is the size of one decoded picture.
  func refusal(width: Int, height: Int, byteCount: Int, _ location: String) -> BackgroundError? {
    if !allows(width: width, height: height) {
      return error(width: width, height: height, location)
    }
    // Video decoders keep many pictures, but fewer if the pictures are large.
    let pictures = max(4 * byteCount, min(24 * byteCount, 256 << 20))
    return SpareMemory.isThere(for: pictures) ? nil : .outOfMemory(pictures, location)
  }
}
