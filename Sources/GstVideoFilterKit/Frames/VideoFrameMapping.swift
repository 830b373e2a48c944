import CGStreamer
import GStreamerVideo
import PixelTypes

/// Maps buffers as frames, one at a time.
///
/// Used only on the streaming thread.
@safe final class VideoFrameMapping {
  private let buffers: BufferMapping
  private let stream: VideoStream

  /// Creates a mapping for buffers of the negotiated format.
  ///
  /// Safety: `info` must be valid during the call, which copies it.
  init(info: UnsafePointer<GstVideoInfo>, stream: VideoStream) {
    self.stream = stream
    unsafe buffers = BufferMapping(info: info, format: stream.format.samples)
  }

  /// Calls `body` with the frame in a buffer, and returns its result.
  ///
  /// Returns nil, without a call, if the memory of the buffer cannot be used. The buffer is mapped
  /// for writing if `isWritable` is true.
  func withFrame<Result>(
    in buffer: UnsafeMutablePointer<GstBuffer>, isWritable: Bool,
    _ body: (inout VideoFrame) -> Result
  ) -> Result? {
    guard unsafe buffers.map(buffer, isWritten: isWritable), let picture = buffers.picture else {
      return nil
    }
    defer { buffers.unmap() }
    var frame = makeFrame(picture, at: unsafe Self.timestamp(of: buffer))
    return body(&frame)
  }

  /// Returns the presentation time of a buffer, or nil if the time is missing.
  static func timestamp(of buffer: UnsafeMutablePointer<GstBuffer>) -> Duration? {
    let time = unsafe UInt64(buffer.pointee.pts)
    // GST_CLOCK_TIME_NONE, which Swift cannot import, is the greatest value.
    return time == .max ? nil : Duration.nanoseconds(Int64(clamping: time))
  }

  private func makeFrame(_ picture: PicturePlanes, at timestamp: Duration?) -> VideoFrame {
    func plane(_ number: Int) -> FramePlane {
      let plane = picture[number]
      return unsafe FramePlane(
        base: plane.base, width: plane.width, height: plane.height, stride: plane.stride)
    }
    func empty() -> FramePlane {
      unsafe FramePlane(base: picture[0].base, width: 0, height: 0, stride: 0)
    }
    let chroma =
      switch stream.format {
      case .nv12: ChromaPlanes(interleaved: plane(1), cb: empty(), cr: empty())
      case .i420: ChromaPlanes(interleaved: empty(), cb: plane(1), cr: plane(2))
      case .rgba: ChromaPlanes(interleaved: empty(), cb: empty(), cr: empty())
      }
    let isRGBA = stream.format == .rgba
    return VideoFrame(
      stream: stream, timestamp: timestamp, luma: isRGBA ? empty() : plane(0), chroma: chroma,
      pixels: isRGBA ? plane(0) : empty())
  }
}
