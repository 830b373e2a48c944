import PixelTypes

/// The properties that all frames of a stream share: size, colours, pixel shape and orientation.
public struct FrameFormat: Equatable, Sendable {
  /// Width in pixels, 16 to 8192.
  public var width: Int
  /// Height in pixels, 16 to 8192.
  public var height: Int
  /// How the numbers stand for colours.
  public var colorimetry: Colorimetry
  /// The pixel aspect ratio, width divided by height: finite and above 0.
  public var pixelAspect: Double
  /// How the frames have to be turned to be upright.
  public var orientation: ImageOrientation

  /// Makes a description of a stream's frames.
  public init(
    width: Int, height: Int, colorimetry: Colorimetry, pixelAspect: Double = 1,
    orientation: ImageOrientation = .upright
  ) {
    self.width = width
    self.height = height
    self.colorimetry = colorimetry
    self.pixelAspect = pixelAspect
    self.orientation = orientation
  }

  /// The format of the frames after they are turned upright.
  public var upright: FrameFormat {
    let (width, height) = orientation.turned(width: width, height: height)
    return FrameFormat(
      width: width, height: height, colorimetry: colorimetry,
      pixelAspect: orientation.turned(pixelAspect: pixelAspect))
  }

  /// Chroma samples in a row: half the width, rounded up.
  public var chromaWidth: Int { (width + 1) / 2 }
  /// Chroma rows: half the height, rounded up.
  public var chromaHeight: Int { (height + 1) / 2 }
  /// Bytes of a frame's luma and chroma, rows without padding.
  public var byteCount: Int { width * height + 2 * chromaWidth * chromaHeight }
}

/// An NV12 picture in memory that the caller owns.
public struct Frame {
  /// One byte a pixel.
  public let luma: Plane
  /// Interleaved Cb and Cr, two bytes a sample; half the size in both directions, rounded up.
  public let chroma: Plane

  /// Makes a frame from its two planes.
  public init(luma: Plane, chroma: Plane) {
    self.luma = luma
    self.chroma = chroma
  }
}

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
  var frame: Frame { Frame(luma: lumaRaster.plane, chroma: chromaRaster.plane) }
}

extension ImageOrientation {
  /// Turns a frame and writes it to `result`.
  public func turn(_ frame: Frame, into result: Frame) {
    turn(frame.luma, into: result.luma)
    turnPairs(frame.chroma, into: result.chroma)
  }
}

extension PicturePlanes {
  /// The planes of an NV12 frame.
  public init(_ frame: Frame) {
    self.init(luma: frame.luma, chroma: frame.chroma)
  }
}

extension PixelRegion {
  /// The whole frame.
  public init(wholeOf format: FrameFormat) {
    self.init(x: 0, y: 0, width: format.width, height: format.height)
  }
}
