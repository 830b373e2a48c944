/// The size limit of a background.
enum PictureLimit: Int {
  /// The limit for a single picture: 134 million pixels, half a gibibyte at four bytes per pixel.
  case still
  /// The limit for a picture of a video: 33 million pixels, enough for 7680x4320.
  ///
  /// It is lower because decoders and the element keep several pictures of a video.
  case moving

  /// The maximum width and height, in pixels.
  private static let maxSide = 16_384

  private var maxPixels: Int {
    switch self {
    case .still: 1 << 27
    case .moving: 1 << 25
    }
  }

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
      kind: .tooLarge, location: location,
      reason: """
        has \(width)x\(height) pixels; the maximum\(what) is \(Self.maxSide) per side and \
        \(maxPixels / 1_000_000) million in total: \(remedy)
        """)
  }
}
