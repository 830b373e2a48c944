/// What pictures an analyzer wants to be given.
public struct PictureRequest: Equatable, Sendable {
  /// The most columns that the picture may have; wider frames are shrunk by a whole number.
  public let maximumWidth: Int
  /// What a pixel is made of.
  public let format: AnalysisPicture.Format

  /// The most pictures that an analyzer is given in a second of the stream's time; nil for as many
  /// as it can look at.
  public let perSecond: Double?

  /// Asks for pictures of at most so many columns, at least one.
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
  /// What a pixel is made of.
  public enum Format: Sendable {
    /// Red, green and blue, 0 to 255 each.
    case rgb
    /// Luma as it is coded, a byte.
    case luma

    /// Bytes of a pixel.
    public var bytesPerPixel: Int { self == .rgb ? 3 : 1 }
  }

  /// What a pixel is made of.
  public let format: Format
  /// Pixels in a row.
  public let width: Int
  /// Rows of pixels.
  public let height: Int
  /// Columns and rows of the frame that a pixel stands for; fewer at its right and lower edge.
  public let scale: Int
  /// The stream that the picture is of.
  public let stream: VideoStream
  /// When the frame is to be shown, since the start of the stream's clock; nil if it does not say.
  public let timestamp: Duration?
  /// The pixels, row by row without gaps.
  public internal(set) var bytes: [UInt8]
}
