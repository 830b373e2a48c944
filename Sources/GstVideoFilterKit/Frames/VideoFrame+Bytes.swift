import PixelTypes

extension VideoFrame {
  /// Creates the frame in a picture of the stream's format.
  ///
  /// Safety: the memory of the picture must be valid for as long as the frame exists, and no other
  /// code may use it.
  @unsafe init(_ picture: PicturePlanes, of stream: VideoStream, at timestamp: Duration?) {
    // A plane that the format does not have has no rows.
    func plane(_ number: Int, if exists: Bool) -> FramePlane {
      let plane = picture[number]
      return unsafe FramePlane(
        base: plane.base, width: exists ? plane.width : 0, height: exists ? plane.height : 0,
        stride: plane.stride)
    }
    let (isInterleaved, isPlanar) = (stream.format == .nv12, stream.format == .i420)
    self.init(
      stream: stream, timestamp: timestamp, luma: plane(0, if: isInterleaved || isPlanar),
      chroma: ChromaPlanes(
        interleaved: plane(1, if: isInterleaved), cb: plane(1, if: isPlanar),
        cr: plane(2, if: isPlanar)),
      pixels: plane(0, if: stream.format == .rgba))
  }

  /// Throws a `FrameSizeError` unless the array has the size of a frame of the stream.
  static func check(_ bytes: [UInt8], of stream: VideoStream) throws {
    let format = stream.format.samples
    let size = (0..<format.planeCount).reduce(0) { sum, number in
      let plane = format.planeSize(number, width: stream.width, height: stream.height)
      return sum + plane.width * plane.height
    }
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
    let format = stream.format.samples
    try unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard var next = buffer.baseAddress else { return }
      // The array has the total size of all planes, so each plane is within the array.
      let picture = PicturePlanes(format: format) { number in
        let size = format.planeSize(number, width: stream.width, height: stream.height)
        defer { unsafe next += size.width * size.height }
        return unsafe Plane(
          base: next, width: size.width, height: size.height, stride: size.width)
      }
      guard let picture else { return }
      var frame = unsafe VideoFrame(picture, of: stream, at: timestamp)
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
