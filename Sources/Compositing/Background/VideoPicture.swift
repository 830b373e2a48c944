import PixelTypes

/// A decoded 4:2:0 picture of a video, in memory that the caller owns.
public struct VideoPicture {
  /// The chroma planes, with half of luma's width and height, rounded up.
  public enum Chroma {
    /// One plane of interleaved Cb and Cr.
    case interleaved(Plane)
    /// One plane for Cb and one for Cr.
    case planar(cb: Plane, cr: Plane)
  }

  /// The luma plane: one byte per pixel, with at most 16384 pixels per side.
  public let luma: Plane
  /// The chroma planes.
  public let chroma: Chroma
  /// The matrix and the range of the code values.
  public let colorimetry: Colorimetry
  /// The width of a pixel divided by its height, above 0.
  public let pixelAspect: Double

  /// Creates a picture.
  public init(luma: Plane, chroma: Chroma, colorimetry: Colorimetry, pixelAspect: Double) {
    self.luma = luma
    self.chroma = chroma
    self.colorimetry = colorimetry
    self.pixelAspect = pixelAspect
  }
}
