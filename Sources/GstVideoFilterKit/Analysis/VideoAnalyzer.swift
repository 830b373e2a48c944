/// An element that analyzes pictures of frames, and passes the frames on at once.
///
/// The analysis runs on a thread of its own, on a small copy of the newest frame. Frames that
/// arrive while it runs are skipped. A result is posted on the bus as an element message. Its
/// structure is named by the analyzer's id, and has the fields of the result and `timestamp`, the
/// frame's timestamp in nanoseconds. The result is also passed to functions registered by
/// `observe`.
public protocol VideoAnalyzer: VideoElement {
  /// The result of an analysis.
  associatedtype Result: AnalysisResult

  /// The pictures that it gets, by default RGB of at most 256 columns.
  static var picture: PictureRequest { get }

  /// Analyzes a picture, on the analyzer's thread.
  ///
  /// Returns nil if there is nothing to report.
  ///
  /// `setUp(for:)` and `tearDown()` are called on that thread too.
  ///
  /// - Throws: an error, which is posted as a warning, each text at most once in ten seconds.
  mutating func analyze(_ picture: AnalysisPicture) throws -> Result?
}

extension VideoAnalyzer {
  /// RGB of at most 256 columns.
  public static var picture: PictureRequest { PictureRequest(maximumWidth: 256, format: .rgb) }
}
