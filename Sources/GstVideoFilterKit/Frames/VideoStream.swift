import PixelTypes

/// The matrix and range of the colours of a YCbCr picture.
public typealias Colorimetry = PixelTypes.Colorimetry

/// The properties that all frames of a stream share.
public struct VideoStream: Equatable, Sendable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The layout of pixels in memory.
  public let format: VideoFormat
  /// The matrix and range of the colours.
  ///
  /// For RGBA, this is the matrix of the YCbCr stream that was converted to RGBA, if known.
  public let colorimetry: Colorimetry
  /// The number of frames per second, or nil for a variable rate.
  public let framesPerSecond: Double?

  /// Creates the description of a stream, for tests of a filter.
  public init(
    width: Int, height: Int, format: VideoFormat,
    colorimetry: Colorimetry = Colorimetry(matrix: .bt709, range: .limited),
    framesPerSecond: Double? = nil
  ) {
    self.width = width
    self.height = height
    self.format = format
    self.colorimetry = colorimetry
    self.framesPerSecond = framesPerSecond
  }
}

/// The layout of pixels in memory.
public enum VideoFormat: String, CaseIterable, Sendable {
  /// A plane of luma, and a plane of alternating Cb and Cr, with a pair per two by two pixels.
  case nv12 = "NV12"
  /// Planes of luma, Cb and Cr, with a sample of Cb and of Cr per two by two pixels.
  case i420 = "I420"
  /// Red, green, blue and straight alpha, one byte each.
  case rgba = "RGBA"
}
