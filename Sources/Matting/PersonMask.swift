import PixelTypes

/// A mask of the person that was found upstream, used instead of an inference.
///
/// Safety: the mask points into memory that the caller owns. That memory must be valid during the
/// call of the engine.
public struct PersonMask {
  /// The maximum width and height of a mask, in samples.
  public static let maxSize = 8192

  /// One byte per sample, which is an index into `alphas`.
  public let samples: Plane
  /// The alpha for each of the 256 byte values: 255 for the person, 0 for the background.
  public let alphas: Raster<UInt8>
  /// The part of the frame that the samples cover, with background everywhere else.
  public let region: PixelRegion

  /// Creates a mask for frames of `format`, or nil if its region or its size is invalid.
  public init?(samples: Plane, alphas: Raster<UInt8>, region: PixelRegion, in format: FrameFormat) {
    let sizes = 1...Self.maxSize
    guard
      sizes.contains(samples.width), sizes.contains(samples.height),
      samples.stride >= samples.width, alphas.width * alphas.height >= 256,
      region.x >= 0, region.y >= 0, region.width > 0, region.height > 0,
      region.width <= format.width - region.x, region.height <= format.height - region.y
    else { return nil }
    (self.samples, self.alphas, self.region) = (samples, alphas, region)
  }
}
