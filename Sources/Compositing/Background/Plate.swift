import PixelTypes

/// A background picture, in NV12 with the frame's size and colorimetry.
///
/// One thread may paint a plate before it is shared. After that it is immutable, so that other
/// threads may show it.
public final class Plate: @unchecked Sendable {
  /// The format of the frames that the plate fits.
  public let format: FrameFormat
  // Safety: the planes are written only while the plate is not shared: in `init`, and by a
  // `PlatePool` that holds the only reference. Therefore the class is Sendable.
  private let lumaRaster: Raster<UInt8>, chromaRaster: Raster<UInt8>

  /// Allocates a plate and lets `paint` fill its planes.
  ///
  /// Throws if there is not enough memory, and rethrows errors of `paint`.
  public init(
    allocating format: FrameFormat, paint: (Frame) throws(OutOfMemory) -> Void
  ) throws(OutOfMemory) {
    self.format = format
    lumaRaster = try Raster(allocating: format.width, height: format.height, filledWith: 0)
    chromaRaster = try Raster(
      allocating: 2 * format.chromaWidth, height: format.chromaHeight, filledWith: 128)
    try paint(Frame(luma: lumaRaster.plane, chroma: chromaRaster.plane))
  }

  /// The plate's planes, valid for the plate's lifetime.
  ///
  /// Only a `PlatePool` may write to it.
  package var frame: Frame { Frame(luma: lumaRaster.plane, chroma: chromaRaster.plane) }
}
