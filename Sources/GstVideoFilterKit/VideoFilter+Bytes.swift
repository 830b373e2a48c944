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
    let columns = (stream.width + 1) / 2
    let rows = (stream.height + 1) / 2
    let size =
      stream.format == .rgba
      ? stream.width * stream.height * 4 : stream.width * stream.height + 2 * columns * rows
    guard bytes.count == size, size > 0 else {
      throw FrameSizeError(expected: size, found: bytes.count)
    }
    try setUp(for: stream)
    defer { tearDown() }
    try unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      // All planes lie within the array, by the size above.
      func plane(_ start: Int, _ width: Int, _ height: Int) -> FramePlane {
        unsafe FramePlane(base: base + start, width: width, height: height, stride: width)
      }
      let luma = stream.width * stream.height
      let isInterleaved = stream.format == .nv12
      let isPlanar = stream.format == .i420
      let hasLuma = isInterleaved || isPlanar
      var frame = VideoFrame(
        stream: stream, timestamp: timestamp,
        luma: plane(0, hasLuma ? stream.width : 0, hasLuma ? stream.height : 0),
        chroma: ChromaPlanes(
          interleaved: isInterleaved ? plane(luma, 2 * columns, rows) : plane(0, 0, 0),
          cb: isPlanar ? plane(luma, columns, rows) : plane(0, 0, 0),
          cr: isPlanar ? plane(luma + columns * rows, columns, rows) : plane(0, 0, 0)),
        pixels: hasLuma ? plane(0, 0, 0) : plane(0, 4 * stream.width, stream.height))
      try process(&frame)
    }
  }
}

/// An array that does not hold a frame of the stream that it was said to be of.
public struct FrameSizeError: Error, CustomStringConvertible {
  /// Bytes of a frame.
  public let expected: Int
  /// Bytes of the array.
  public let found: Int

  /// What is wrong, in a sentence.
  public var description: String { "a frame of this stream has \(expected) bytes, not \(found)" }
}
