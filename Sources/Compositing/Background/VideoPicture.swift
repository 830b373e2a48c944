import PixelTypes

/// A decoded picture of a video with half the chroma in both directions, in memory of the caller.
public struct VideoPicture {
  /// Where Cb and Cr are: half of luma's size, rounded up.
  public enum Chroma {
    /// Pairs of Cb and Cr.
    case interleaved(Plane)
    /// A plane each.
    case planar(cb: Plane, cr: Plane)
  }

  /// One byte a pixel; at most 16384 a side.
  public let luma: Plane
  /// The colours.
  public let chroma: Chroma
  /// How the numbers stand for colours.
  public let colorimetry: Colorimetry
  /// Width of a pixel divided by its height, above 0.
  public let pixelAspect: Double

  /// Describes a picture.
  public init(luma: Plane, chroma: Chroma, colorimetry: Colorimetry, pixelAspect: Double) {
    self.luma = luma
    self.chroma = chroma
    self.colorimetry = colorimetry
    self.pixelAspect = pixelAspect
  }
}
