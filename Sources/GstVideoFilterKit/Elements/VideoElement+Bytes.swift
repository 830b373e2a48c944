import PixelTypes

extension VideoElement {
  /// Calls `body` with this value and each frame, between a set-up and a tear-down.
  ///
  /// `timestamp` returns the timestamp of the frame with an index.
  ///
  /// - Throws: any error of the set-up or of `body`, or `FrameSizeError`.
  mutating func run(
    on frames: inout [[UInt8]], of stream: VideoStream, timestamp: (_ index: Int) -> Duration?,
    _ body: (inout Self, inout VideoFrame) throws -> Void
  ) throws {
    let format = stream.format.samples
    let sizes = (0..<format.planeCount).map {
      format.planeSize($0, width: stream.width, height: stream.height)
    }
    let size = sizes.reduce(0) { $0 + $1.width * $1.height }
    for frame in frames where frame.count != size || stream.width <= 0 || stream.height <= 0 {
      throw FrameSizeError(expected: size, found: frame.count)
    }
    try setUp(for: stream)
    defer { tearDown() }
    for index in frames.indices {
      try unsafe frames[index].withUnsafeMutableBufferPointer { buffer in
        guard var next = buffer.baseAddress else { return }
        // The array has the total size of all planes, so each plane is within the array.
        let picture = PicturePlanes(format: format) { number in
          let size = sizes[number]
          defer { unsafe next += size.width * size.height }
          return unsafe Plane(
            base: next, width: size.width, height: size.height, stride: size.width)
        }
        guard let picture else { return }
        var frame = unsafe VideoFrame(picture, of: stream, at: timestamp(index))
        try body(&self, &frame)
      }
    }
  }
}

/// The error for an array that does not have the size of a frame of its stream.
public struct FrameSizeError: Error, CustomStringConvertible {
  /// The size in bytes of a frame, and of the array.
  public let expected: Int, found: Int

  /// A description for the user.
  public var description: String { "a frame of this stream has \(expected) bytes, not \(found)" }
}
