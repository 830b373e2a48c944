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

extension VideoFrame {
  /// Throws a `FrameSizeError` unless the bytes are those of a frame of the stream.
  fileprivate static func check(_ bytes: [UInt8], of stream: VideoStream) throws {
    let chroma = 2 * ((stream.width + 1) / 2) * ((stream.height + 1) / 2)
    let pixels = stream.width * stream.height
    let size = stream.format == .rgba ? 4 * pixels : pixels + chroma
    guard bytes.count == size, stream.width > 0, stream.height > 0 else {
      throw FrameSizeError(expected: size, found: bytes.count)
    }
  }

  /// Makes a frame of an array that was checked, for the duration of a call.
  fileprivate static func with(
    _ bytes: inout [UInt8], of stream: VideoStream, timestamp: Duration?,
    _ body: (inout VideoFrame) throws -> Void
  ) throws {
    let columns = (stream.width + 1) / 2
    let rows = (stream.height + 1) / 2
    try unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      // All planes lie within the array, whose size was checked.
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
      try body(&frame)
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
