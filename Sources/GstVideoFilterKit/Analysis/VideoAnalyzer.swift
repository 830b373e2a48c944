/// An element that looks at pictures and lets the frames go on at once.
///
/// The analysis runs on a thread of its own, on a small copy of the newest frame: frames that come
/// while it runs are left out. What it finds is posted on the bus as an element message with the
/// analyzer's id, the fields of the result, and `timestamp`, the frame's, in nanoseconds; and
/// passed to those who `observe` it.
public protocol VideoAnalyzer: VideoElement {
  /// What it finds.
  associatedtype Result: AnalysisResult

  /// What pictures it wants; RGB of at most 256 columns unless given.
  static var picture: PictureRequest { get }

  /// Looks at a picture, on a thread of its own; nil when there is nothing to tell.
  ///
  /// `setUp(for:)` and `tearDown()` are called on that thread too. An error is posted as a warning,
  /// each text at most once in ten seconds.
  mutating func analyze(_ picture: AnalysisPicture) throws -> Result?
}

extension VideoAnalyzer {
  /// RGB of at most 256 columns.
  public static var picture: PictureRequest { PictureRequest(maximumWidth: 256, format: .rgb) }
}
