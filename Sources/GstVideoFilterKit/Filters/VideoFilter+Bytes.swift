extension VideoFilter {
  /// Processes one frame in an array without GStreamer, for tests of a filter.
  ///
  /// Sets the filter up before the frame, and tears it down after it, on the calling thread.
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
    var frames = [bytes]
    defer { bytes = frames[0] }
    try run(on: &frames, of: stream, timestamp: { _ in timestamp }) { try $0.process(&$1) }
  }

  /// Processes a sequence of frames, for tests of a filter that keeps state between frames.
  ///
  /// Sets the filter up before the first frame, and tears it down after the last one.
  ///
  /// - Parameters:
  ///   - frames: the bytes of each frame, in the layout of `process(_:of:timestamp:)`.
  ///   - stream: the size, format and colours of the frames.
  ///   - step: the time from one frame to the next. The first timestamp is zero.
  /// - Throws: any error of the filter, or `FrameSizeError`.
  public mutating func process(
    _ frames: inout [[UInt8]], of stream: VideoStream, every step: Duration
  ) throws {
    try run(on: &frames, of: stream, timestamp: { step * $0 }) { try $0.process(&$1) }
  }
}
