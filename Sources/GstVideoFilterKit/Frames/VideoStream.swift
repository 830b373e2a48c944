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
  public let format: VideoFrame.Format
  /// Matrix and range of the colours.
  ///
  /// For RGBA, the matrix is that of the stream which it was converted from, if known.
  public let colorimetry: Colorimetry
  /// Frames in a second; nil for a variable rate.
  public let framesPerSecond: Double?

  /// Describes a stream, for tests of a filter.
  public init(
    width: Int, height: Int, format: VideoFrame.Format,
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
