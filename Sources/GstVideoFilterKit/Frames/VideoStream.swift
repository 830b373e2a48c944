import PixelTypes

/// Matrix and range of the colours of a YCbCr picture.
public typealias Colorimetry = PixelTypes.Colorimetry

/// The properties that all frames of a stream share.
public struct VideoStream: Equatable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows of pixels.
  public let height: Int
  /// The layout of pixels in memory.
  public let format: VideoFormat
  /// Matrix and range of the colours.
  ///
  /// For RGBA, this is the matrix of the stream which it was converted from, if known.
  public let colorimetry: Colorimetry
  /// Frames per second, or nil for a variable rate.
  public let framesPerSecond: Double?

  /// Describes a stream, for tests of a filter.
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
  /// A plane of luma and one of alternating Cb and Cr, a pair for two by two pixels.
  case nv12 = "NV12"
  /// A plane of luma, one of Cb and one of Cr, a sample for two by two pixels.
  case i420 = "I420"
  /// Red, green, blue and straight alpha, a byte each.
  case rgba = "RGBA"
}
