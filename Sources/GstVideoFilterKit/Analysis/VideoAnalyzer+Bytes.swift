extension VideoAnalyzer {
  /// Looks at frames that follow each other, without GStreamer: for tests of an analyzer.
  ///
  /// The analyzer is set up for the stream before and torn down after. No frame is left out.
  ///
  /// - Parameters:
  ///   - frames: the bytes of each frame, as `VideoFilter.process(_:of:timestamp:)` takes them.
  ///   - stream: what the frames are of.
  ///   - step: the time from one to the next; the first is at zero.
  /// - Returns: what it finds in each frame.
  /// - Throws: what the analyzer throws, or `FrameSizeError` if there are more bytes or fewer.
  public mutating func analyze(
    _ frames: [[UInt8]], of stream: VideoStream, every step: Duration
  ) throws -> [Result?] {
    for frame in frames { try VideoFrame.check(frame, of: stream) }
    try setUp(for: stream)
    defer { tearDown() }
    var shrinker = PictureShrinker(Self.picture)
    var results: [Result?] = []
    for (index, bytes) in frames.enumerated() {
      var bytes = bytes
      try VideoFrame.with(&bytes, of: stream, timestamp: step * index) { frame in
        results.append(try analyze(shrinker.shrink(&frame, into: [])))
      }
    }
    return results
  }
}
