extension VideoAnalyzer {
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
