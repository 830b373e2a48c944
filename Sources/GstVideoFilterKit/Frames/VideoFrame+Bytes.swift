extension VideoFrame {
  /// Throws a `FrameSizeError` unless the array has the size of a frame of the stream.
  static func check(_ bytes: [UInt8], of stream: VideoStream) throws {
    let chroma = 2 * ((stream.width + 1) / 2) * ((stream.height + 1) / 2)
    let pixels = stream.width * stream.height
    let size = stream.format == .rgba ? 4 * pixels : pixels + chroma
    guard bytes.count == size, stream.width > 0, stream.height > 0 else {
      throw FrameSizeError(expected: size, found: bytes.count)
    }
  }

  /// Calls `body` with the frame in an array.
  ///
  /// `check` must have accepted the size of the array.
  static func with(
    _ bytes: inout [UInt8], of stream: VideoStream, timestamp: Duration?,
    _ body: (inout VideoFrame) throws -> Void
  ) throws {
    let columns = (stream.width + 1) / 2
    let rows = (stream.height + 1) / 2
    try unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      // The array has the total size of all planes, so each plane is within the array.
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

/// The error for an array that does not have the size of a frame of its stream.
public struct FrameSizeError: Error, CustomStringConvertible {
  /// The size of a frame in bytes.
  public let expected: Int
  /// The size of the array in bytes.
  public let found: Int

  /// A description for the user.
  public var description: String { "a frame of this stream has \(expected) bytes, not \(found)" }
}
