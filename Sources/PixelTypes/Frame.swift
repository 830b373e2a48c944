/// The properties that all pictures of a stream share: size, colours, pixel shape and orientation.
public struct FrameFormat: Equatable, Sendable {
  /// The width and the height in pixels: 16 to 8192 for frames.
  public var width: Int, height: Int
  /// The encoding of colours.
  public var colorimetry: Colorimetry
  /// The pixel aspect ratio, width divided by height: finite and above 0.
  public var pixelAspect: Double
  /// The rotation or flip that makes the frames upright.
  public var orientation: ImageOrientation

  /// Creates a description of a stream's frames.
  public init(
    width: Int, height: Int, colorimetry: Colorimetry, pixelAspect: Double = 1,
    orientation: ImageOrientation = .upright
  ) {
    (self.width, self.height) = (width, height)
    (self.colorimetry, self.pixelAspect) = (colorimetry, pixelAspect)
    self.orientation = orientation
  }

  /// The format of the frames after they are turned upright.
  public var upright: FrameFormat {
    let (width, height) = orientation.turned(width: width, height: height)
    return FrameFormat(
      width: width, height: height, colorimetry: colorimetry,
      pixelAspect: orientation.turned(pixelAspect: pixelAspect))
  }

  /// Chroma samples per row: half the width, rounded up.
  public var chromaWidth: Int { (width + 1) / 2 }
  /// Chroma rows: half the height, rounded up.
  public var chromaHeight: Int { (height + 1) / 2 }
  /// Bytes of a frame's luma and chroma, rows without padding.
  public var byteCount: Int { width * height + 2 * chromaWidth * chromaHeight }
}

/// An NV12 picture in memory that the caller owns.
public struct Frame {
  /// One byte per pixel.
  public let luma: Plane
  /// Interleaved Cb and Cr, two bytes per sample, half the size in both directions, rounded up.
  public let chroma: Plane

  /// Creates a frame from its two planes.
  public init(luma: Plane, chroma: Plane) { (self.luma, self.chroma) = (luma, chroma) }
}

extension ImageOrientation {
  /// Turns a frame and writes it to `result`.
  public func turn(_ frame: Frame, into result: Frame) {
    turn(frame.luma, into: result.luma)
    turnPairs(frame.chroma, into: result.chroma)
  }
}

extension PixelRegion {
  /// The whole frame.
  public init(wholeOf format: FrameFormat) {
    self.init(x: 0, y: 0, width: format.width, height: format.height)
  }
}
