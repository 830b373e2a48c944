/// The size, format and rate of the pictures that an analyzer gets.
public struct PictureRequest: Equatable, Sendable {
  /// The maximum number of columns, at least 1.
  ///
  /// Wider frames are shrunk by a whole number.
  public let maximumWidth: Int
  /// The samples of a pixel.
  public let format: AnalysisPicture.Format

  /// The maximum number of pictures per second of the stream's time, at least 0.001.
  ///
  /// If it is nil, the analyzer gets as many pictures as it can process.
  public let perSecond: Double?

  /// Requests pictures of at most `maximumWidth` columns.
  ///
  /// Less than 1 counts as 1.
  public init(
    maximumWidth: Int, format: AnalysisPicture.Format, perSecond: Double? = nil
  ) {
    self.maximumWidth = maximumWidth
    self.format = format
    self.perSecond = perSecond
  }
}

/// A copy of a frame, or a small picture of it.
public struct AnalysisPicture: Sendable {
  /// The samples of a pixel.
  public enum Format: Sendable {
    /// Red, green and blue, 0 to 255 each.
    case rgb
    /// Luma as it is coded in the stream, a byte.
    case luma

    /// Bytes of a pixel.
    public var bytesPerPixel: Int { self == .rgb ? 3 : 1 }
  }

  /// The samples of a pixel.
  public let format: Format
  /// Pixels in a row.
  public let width: Int
  /// Rows of pixels.
  public let height: Int
  /// The columns, and rows, of the frame that a pixel averages, or fewer at the right and lower
  /// edge.
  public let scale: Int
  /// The stream of the frame.
  public let stream: VideoStream
  /// The frame's presentation time in the stream, or nil if its buffer has none.
  public let timestamp: Duration?
  /// The pixels row by row, without padding.
  public internal(set) var bytes: [UInt8]
}
