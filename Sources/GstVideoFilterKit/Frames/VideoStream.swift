import PixelTypes

/// How the numbers of a YCbCr picture stand for colours: matrix and range.
public typealias Colorimetry = PixelTypes.Colorimetry

/// What is known of all frames of a stream.
public struct VideoStream: Equatable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows of pixels.
  public let height: Int
  /// How the pixels lie in memory.
  public let format: VideoFrame.Format
  /// How the numbers stand for colours.
  ///
  /// For RGBA, the matrix of the stream that it came from, if
  /// known.
  public let colorimetry: Colorimetry
  /// Frames in a second; nil where they come as they come.
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
