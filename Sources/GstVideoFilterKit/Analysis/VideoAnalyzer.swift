/// An element that analyzes pictures of frames, and does not delay the frames.
///
/// The analysis runs on the analyzer's own thread, on a small copy of the newest frame. Frames that
/// arrive while it runs are not analyzed.
///
/// Each result is posted on the bus as an element message. The name of its structure is the
/// analyzer's `id`. Its fields are the fields of the result, and `timestamp`, the frame's timestamp
/// in nanoseconds. The result is also passed to the functions that `observe` registered.
public protocol VideoAnalyzer: VideoElement {
  /// The result of an analysis.
  associatedtype Result: AnalysisResult

  /// The pictures that the analyzer gets, by default RGB with at most 256 columns.
  static var picture: PictureRequest { get }

  /// Analyzes a picture and returns the result, or nil if there is nothing to report.
  ///
  /// Called on the analyzer's thread. `setUp(for:)` and `tearDown()` are not called meanwhile.
  ///
  /// - Throws: an error, which is posted as a warning. Each text is posted at most once in ten
  ///   seconds.
  mutating func analyze(_ picture: AnalysisPicture) throws -> Result?
}

extension VideoAnalyzer {
  /// RGB with at most 256 columns.
  public static var picture: PictureRequest { PictureRequest(maximumWidth: 256, format: .rgb) }

  /// Analyzes a sequence of frames without GStreamer, for tests of an analyzer.
  ///
  /// Sets the analyzer up before the first frame, and tears it down after the last one, on the
  /// calling thread. No frame is skipped.
  ///
  /// - Parameters:
  ///   - frames: the bytes of each frame, in the layout of `VideoFilter.process(_:of:timestamp:)`.
  ///   - stream: the size, format and colours of the frames.
  ///   - step: the time from one frame to the next. The first timestamp is zero.
  /// - Returns: the result of each frame.
  /// - Throws: any error of the analyzer, or `FrameSizeError`.
  public mutating func analyze(
    _ frames: [[UInt8]], of stream: VideoStream, every step: Duration
  ) throws -> [Result?] {
    var shrinker = PictureShrinker(Self.picture)
    var results: [Result?] = []
    var frames = frames
    try run(on: &frames, of: stream, timestamp: { step * $0 }) { analyzer, frame in
      results.append(try analyzer.analyze(shrinker.shrink(&frame, into: [])))
    }
    return results
  }
}
