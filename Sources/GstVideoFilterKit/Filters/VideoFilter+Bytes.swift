extension VideoFilter {
  /// Processes one frame in an array, without GStreamer: for tests of a filter.
  ///
  /// The filter is set up for the stream before and torn down after, on the calling thread.
  ///
  /// - Parameters:
  ///   - bytes: the planes one after the other, without padding. Cb and Cr have half the columns
  ///     and rows, rounded up.
  ///   - stream: size, format and colours of the frame.
  ///   - timestamp: the frame's presentation time.
  /// - Throws: any error of the filter, or `FrameSizeError`.
  public mutating func process(
    _ bytes: inout [UInt8], of stream: VideoStream, timestamp: Duration? = nil
  ) throws {
    try VideoFrame.check(bytes, of: stream)
    try setUp(for: stream)
    defer { tearDown() }
    try VideoFrame.with(&bytes, of: stream, timestamp: timestamp) { frame in
      try process(&frame)
    }
  }

  /// Processes frames one after the other, for tests of a filter that keeps state between them: it
  /// is set up once for all.
  ///
  /// - Parameters:
  ///   - frames: the bytes of each frame, as `process(_:of:timestamp:)` takes them.
  ///   - stream: size, format and colours of the frames.
  ///   - step: the time from one frame to the next. The first is at zero.
  /// - Throws: any error of the filter, or `FrameSizeError`.
  public mutating func process(
    _ frames: inout [[UInt8]], of stream: VideoStream, every step: Duration
  ) throws {
    for frame in frames { try VideoFrame.check(frame, of: stream) }
    try setUp(for: stream)
    defer { tearDown() }
    for index in frames.indices {
      try VideoFrame.with(&frames[index], of: stream, timestamp: step * index) { frame in
        try process(&frame)
      }
    }
  }
}
