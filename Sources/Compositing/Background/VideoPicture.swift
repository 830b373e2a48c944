import PixelTypes

/// A decoded 4:2:0 picture of a video, in memory of the caller.
public struct VideoPicture {
  /// The chroma samples, with half of luma's size, rounded up.
  public enum Chroma {
    /// Pairs of Cb and Cr.
    case interleaved(Plane)
    /// One plane for each of them.
    case planar(cb: Plane, cr: Plane)
  }

  /// One byte per pixel, with at most 16384 pixels per side.
  public let luma: Plane
  /// The chroma planes.
  public let chroma: Chroma
  /// The meaning of the code values.
  public let colorimetry: Colorimetry
  /// Width of a pixel divided by its height, above 0.
  public let pixelAspect: Double

  /// Creates a picture.
  public init(luma: Plane, chroma: Chroma, colorimetry: Colorimetry, pixelAspect: Double) {
    self.luma = luma
    self.chroma = chroma
    self.colorimetry = colorimetry
    self.pixelAspect = pixelAspect
  }
}
