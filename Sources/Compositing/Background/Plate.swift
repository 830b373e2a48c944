import PixelTypes

/// A picture to put behind the person, fitted to the frame: NV12 of the frame's size and colours.
///
/// Immutable while it is shared, so it may be made on one thread and shown on another.
public final class Plate: @unchecked Sendable {
  /// The format that the plate was fitted to.
  public let format: FrameFormat
  // Written only while the plate is not shared: in `init`, and by a `PlatePool` that found that it
  // holds the only reference. That is what makes the class Sendable.
  private let lumaRaster: Raster<UInt8>
  private let chromaRaster: Raster<UInt8>

  /// Allocates a plate and lets `paint` fill its planes; throws when there is no memory, and what
  /// `paint` throws.
  public init(
    allocating format: FrameFormat, paint: (Frame) throws(OutOfMemory) -> Void
  ) throws(OutOfMemory) {
    self.format = format
    lumaRaster = try Raster(allocating: format.width, height: format.height, filledWith: 0)
    chromaRaster = try Raster(
      allocating: 2 * format.chromaWidth, height: format.chromaHeight, filledWith: 128)
    try paint(Frame(luma: lumaRaster.plane, chroma: chromaRaster.plane))
  }

  /// Allocates a plate and lets `paint` fill its planes; ends the process when there is no memory.
  public init<Failure: Error>(
    format: FrameFormat, paint: (Frame) throws(Failure) -> Void
  ) throws(Failure) {
    self.format = format
    lumaRaster = Raster(width: format.width, height: format.height, filledWith: 0)
    chromaRaster = Raster(
      width: 2 * format.chromaWidth, height: format.chromaHeight, filledWith: 128)
    try paint(Frame(luma: lumaRaster.plane, chroma: chromaRaster.plane))
  }

  /// The plate's planes, to be read only, but by a pool; valid for as long as the plate lives.
  package var frame: Frame { Frame(luma: lumaRaster.plane, chroma: chromaRaster.plane) }
}
