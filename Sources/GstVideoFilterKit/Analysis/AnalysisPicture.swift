/// The size, format and rate of the pictures that an analyzer gets.
public struct PictureRequest: Equatable, Sendable {
  /// The maximum number of columns, at least 1.
  ///
  /// A wider frame is reduced by an even factor.
  public let maximumWidth: Int
  /// The samples of a pixel.
  public let format: AnalysisPicture.Format

  /// The maximum number of pictures per second of the stream's time, at least 0.001.
  ///
  /// If it is nil, the rate is not limited: the analyzer gets as many pictures as it can process.
  public let perSecond: Double?

  /// Requests pictures of at most `maximumWidth` columns.
  ///
  /// A value below 1 counts as 1.
  public init(maximumWidth: Int, format: AnalysisPicture.Format, perSecond: Double? = nil) {
    (self.maximumWidth, self.format, self.perSecond) = (maximumWidth, format, perSecond)
  }
}

/// A copy of a frame, in the requested format and often with fewer pixels.
public struct AnalysisPicture: Sendable {
  /// The samples of a pixel.
  public enum Format: Sendable {
    /// Red, green and blue, 0 to 255 each.
    case rgb
    /// Luma as it is coded in the stream, one byte.
    case luma

    /// The number of bytes per pixel.
    public var bytesPerPixel: Int { self == .rgb ? 3 : 1 }
  }

  /// The samples of a pixel.
  public let format: Format
  /// The width and the height in pixels.
  public let width: Int, height: Int
  /// The factor by which the frame was reduced.
  ///
  /// A pixel is the mean of `scale` columns and `scale` rows of the frame, or of fewer at the right
  /// and lower edge.
  public let scale: Int
  /// The stream of the frame.
  public let stream: VideoStream
  /// The frame's presentation time in the stream, or nil if it is missing.
  public let timestamp: Duration?
  /// The pixels row by row, without padding.
  public internal(set) var bytes: [UInt8]
}
