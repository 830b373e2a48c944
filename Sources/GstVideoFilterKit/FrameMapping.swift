import CGStreamer
import CVideoFilterKit

/// Lays a buffer's memory open as a frame, one buffer at a time.
///
/// Used on the streaming thread alone.
@safe final class FrameMapping {
  // Both are owned, and made once so that mapping a frame allocates nothing.
  private let info: UnsafeMutablePointer<GstVideoInfo>
  private let mapped: UnsafeMutablePointer<GstVideoFrame>
  private let stream: VideoStream

  /// Maps buffers of the negotiated format.
  ///
  /// Safety: `info` is valid during the call; it is copied.
  init(info negotiated: UnsafePointer<GstVideoInfo>, stream: VideoStream) {
    self.stream = stream
    unsafe info = .allocate(capacity: 1)
    unsafe info.initialize(to: negotiated.pointee)
    unsafe mapped = .allocate(capacity: 1)
    unsafe mapped.initialize(to: GstVideoFrame())
  }

  deinit {
    unsafe mapped.deallocate()
    unsafe info.deallocate()
  }

  /// Calls a function with the frame in a buffer; nil, without a call, when there is no usable one.
  ///
  /// What a buffer says about itself comes from outside and may be wrong: a frame is made only of
  /// planes that lie wholly in the mapped memory.
  func withFrame<Result>(
    in buffer: UnsafeMutablePointer<GstBuffer>, isWritable: Bool,
    _ body: (inout VideoFrame) -> Result
  ) -> Result? {
    guard let place = unsafe place(in: buffer) else { return nil }
    // So that a mapping that tells nothing of its memory is not taken for the one before it.
    unsafe mapped.pointee = GstVideoFrame()
    guard unsafe vfk_video_frame_map(mapped, info, buffer, isWritable ? 1 : 0) != 0 else {
      return nil
    }
    defer { unsafe gst_video_frame_unmap(mapped) }
    guard var frame = makeFrame(place, unsafe Self.timestamp(of: buffer)) else { return nil }
    return body(&frame)
  }

  /// When a buffer's frame is to be shown; nil if it does not say.
  static func timestamp(of buffer: UnsafeMutablePointer<GstBuffer>) -> Duration? {
    let time = unsafe UInt64(buffer.pointee.pts)
    // GST_CLOCK_TIME_NONE, which Swift cannot import, is the greatest value.
    return time == .max ? nil : Duration.nanoseconds(Int64(clamping: time))
  }

  /// Where the picture lies in the memory that a buffer describes.
  private struct Place {
    var x = 0
    var y = 0
    /// Size of the whole memory.
    var outerWidth: Int
    var outerHeight: Int
  }

  /// Where the picture lies in a buffer; nil when the buffer is not one picture of the caps' size.
  ///
  /// Such a buffer would also make `gst_video_frame_map` complain about a programming error.
  private func place(in buffer: UnsafeMutablePointer<GstBuffer>) -> Place? {
    var place = Place(outerWidth: stream.width, outerHeight: stream.height)
    if let meta = unsafe gst_buffer_get_video_meta(buffer) {
      guard
        unsafe meta.pointee.format == vfk_video_info_format(info),
        unsafe meta.pointee.n_planes == UInt32(stream.format.planeCount),
        // More than one are views or fields, of which only the first would be worked on.
        unsafe gst_buffer_get_n_meta(buffer, gst_video_meta_api_get_type()) == 1
      else { return nil }
      place.outerWidth = unsafe Int(meta.pointee.width)
      place.outerHeight = unsafe Int(meta.pointee.height)
    }
    if let crop = unsafe vfk_buffer_crop_meta(buffer) {
      (place.x, place.y) = unsafe (Int(crop.pointee.x), Int(crop.pointee.y))
      guard
        unsafe Int(crop.pointee.width) == stream.width,
        unsafe Int(crop.pointee.height) == stream.height,
        // Otherwise a chroma sample would lie half inside.
        stream.format == .rgba || (place.x % 2 == 0 && place.y % 2 == 0)
      else { return nil }
    }
    guard
      place.x + stream.width <= place.outerWidth, place.y + stream.height <= place.outerHeight
    else { return nil }
    return place
  }

  private func makeFrame(_ place: Place, _ timestamp: Duration?) -> VideoFrame? {
    let chromaWidth = (stream.width + 1) / 2
    let chromaHeight = (stream.height + 1) / 2
    guard let base = unsafe mapped.pointee.data.0 else { return nil }
    func empty() -> FramePlane {
      unsafe FramePlane(
        base: base.assumingMemoryBound(to: UInt8.self), width: 0, height: 0, stride: 0)
    }
    func chroma(_ index: Int, bytes: Int) -> FramePlane? {
      plane(
        index, x: place.x / 2 * bytes, y: place.y / 2, width: chromaWidth * bytes,
        height: chromaHeight)
    }
    switch stream.format {
    case .nv12, .i420:
      guard
        let luma = plane(0, x: place.x, y: place.y, width: stream.width, height: stream.height)
      else { return nil }
      let planes: ChromaPlanes
      if stream.format == .nv12 {
        guard let interleaved = chroma(1, bytes: 2) else { return nil }
        planes = ChromaPlanes(interleaved: interleaved, cb: empty(), cr: empty())
      } else {
        guard let cb = chroma(1, bytes: 1), let cr = chroma(2, bytes: 1) else { return nil }
        planes = ChromaPlanes(interleaved: empty(), cb: cb, cr: cr)
      }
      return VideoFrame(
        stream: stream, timestamp: timestamp, luma: luma, chroma: planes, pixels: empty())
    case .rgba:
      guard
        let pixels = plane(
          0, x: place.x * 4, y: place.y, width: stream.width * 4, height: stream.height)
      else { return nil }
      return VideoFrame(
        stream: stream, timestamp: timestamp, luma: empty(),
        chroma: ChromaPlanes(interleaved: empty(), cb: empty(), cr: empty()), pixels: pixels)
    }
  }

  /// A part of a mapped plane, which begins `x` bytes and `y` rows from its first sample.
  ///
  /// Memory of a graphics driver is mapped by a function of its own, which need not tell where it
  /// begins and ends; the address and the stride are then that function's word.
  private func plane(_ index: Int, x: Int, y: Int, width: Int, height: Int) -> FramePlane? {
    // With a GstVideoMeta each plane has a mapping of its own; without, all share the first.
    let mapIndex = unsafe mapped.pointee.meta != nil ? index : 0
    let map = unsafe Self.element(mapIndex, of: mapped.pointee.map)
    let data = unsafe Self.element(index, of: mapped.pointee.data)
    let stride = unsafe Int(Self.element(index, of: mapped.pointee.info.stride))
    guard let data = unsafe data, stride >= x + width else { return nil }
    if let start = unsafe map.data {
      guard unsafe data >= gpointer(start) else { return nil }
      let available = unsafe Int(clamping: map.size) - (data - gpointer(start))
      // All factors have at most 32 bits: no overflow.
      guard (y + height - 1) * stride + x + width <= available else { return nil }
    }
    return unsafe FramePlane(
      base: data.assumingMemoryBound(to: UInt8.self) + (y * stride + x), width: width,
      height: height, stride: stride)
  }

  /// One of the first three elements of an array of C's.
  private static func element<Element>(
    _ index: Int, of array: (Element, Element, Element, Element)
  ) -> Element {
    switch index {
    case 0: array.0
    case 1: array.1
    default: array.2
    }
  }
}
