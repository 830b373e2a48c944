import CGStreamer
import GStreamerVideo
import PixelTypes

/// Lays a buffer's memory open as a frame, one buffer at a time.
///
/// Used on the streaming thread alone.
@safe final class VideoFrameMapping {
  private let buffers: BufferMapping
  private let stream: VideoStream

  /// Maps buffers of the negotiated format.
  ///
  /// Safety: `info` is valid during the call; it is copied.
  init(info: UnsafePointer<GstVideoInfo>, stream: VideoStream) {
    self.stream = stream
    unsafe buffers = BufferMapping(info: info, format: stream.format.samples)
  }

  /// Calls a function with the frame in a buffer; nil, without a call, when there is no usable one.
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

  /// When a buffer's frame is to be shown; nil if it does not say.
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
