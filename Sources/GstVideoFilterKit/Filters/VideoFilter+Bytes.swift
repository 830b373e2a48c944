extension VideoFilter {
  /// Works on one frame in an array, without GStreamer: for tests of a filter.
  ///
  /// The filter is set up for the stream before and torn down after.
  ///
  /// - Parameters:
  ///   - bytes: the planes one after the other, without gaps; Cb and Cr have half the columns and
  ///     rows, rounded up.
  ///   - stream: what the frame is of.
  ///   - timestamp: when the frame is to be shown.
  /// - Throws: what the filter throws, or `FrameSizeError` if there are more bytes or fewer.
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

  /// Works on frames that follow each other, for tests of a filter that remembers: it is set up once
  /// for all of them.
  ///
  /// - Parameters:
  ///   - frames: the bytes of each frame, as `process(_:of:timestamp:)` takes them.
  ///   - stream: what the frames are of.
  ///   - step: the time from one to the next; the first is at zero.
  /// - Throws: what the filter throws, or `FrameSizeError` if there are more bytes or fewer.
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
