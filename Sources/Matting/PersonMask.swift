import PixelTypes

/// Where the person is in a frame, as found upstream: used instead of an inference.
///
/// Safety: points into memory of the caller, which has to be valid while the engine is called.
public struct PersonMask {
  /// The greatest width and height of a mask, in samples.
  public static let maxSize = 8192

  /// A byte for each sample; what it stands for is in `alphas`.
  public let samples: Plane
  /// The alpha of each of the 256 values that a byte can have: 255 for the person, 0 for the room.
  public let alphas: Raster<UInt8>
  /// The part of the frame over which the samples lie; the rest is room.
  public let region: PixelRegion

  /// Makes a mask for frames of `format`; nil when it does not lie within them or has no fitting size.
  public init?(
    samples: Plane, alphas: Raster<UInt8>, region: PixelRegion, in format: FrameFormat
  ) {
    let sizes = 1...Self.maxSize
    guard
      sizes.contains(samples.width), sizes.contains(samples.height),
      samples.stride >= samples.width, alphas.width * alphas.height >= 256,
      region.x >= 0, region.y >= 0, region.width > 0, region.height > 0,
      region.width <= format.width - region.x, region.height <= format.height - region.y
    else { return nil }
    self.samples = samples
    self.alphas = alphas
    self.region = region
  }
}
