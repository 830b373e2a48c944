/// The size limit of a background.
enum PictureLimit: Int {
  /// A single picture: at most 134 million pixels, half a gibibyte at four bytes each.
  case still
  /// Pictures of a video: at most 33 million pixels, as many as 7680x4320 has.
  ///
  /// Decoders and the element hold several of them.
  case moving

  /// The longest side that is allowed, in pixels.
  private static let maxSide = 16_384

  private var maxPixels: Int {
    switch self {
    case .still: 1 << 27
    case .moving: 1 << 25
    }
  }

  /// Whether a picture of a size is allowed.
  func allows(width: Int, height: Int) -> Bool {
    // Sides within the limit cannot overflow the product.
    max(width, height) <= Self.maxSide && width * height <= maxPixels
  }

  /// The error for a picture that exceeds the limit.
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
