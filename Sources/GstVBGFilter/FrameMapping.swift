import CGStreamer
import CVBGFilter
import PixelTypes
import VirtualBackground

/// Lays a buffer's memory open as an NV12 frame, one buffer at a time.
///
/// Used on the streaming thread alone.
@safe final class FrameMapping {
  // Both are owned, and made once so that mapping a frame allocates nothing. While `frame` is not
  // nil, `mapped` holds a mapping without a reference to its buffer; the base class holds the buffer
  // from `prepare_output_buffer` to the end of `transform_ip`.
  private let info: UnsafeMutablePointer<GstVideoInfo>
  private let mapped: UnsafeMutablePointer<GstVideoFrame>

  /// The planes of the mapped buffer; nil when none is mapped.
  private(set) var frame: Frame?

  /// Maps buffers of the negotiated format.
  ///
  /// Safety: `info` is valid during the call; it is copied.
  init(info negotiated: UnsafePointer<GstVideoInfo>) {
    unsafe info = .allocate(capacity: 1)
    unsafe info.initialize(to: negotiated.pointee)
    unsafe mapped = .allocate(capacity: 1)
    unsafe mapped.initialize(to: GstVideoFrame())
  }

  deinit {
    unmap()
    unsafe mapped.deallocate()
    unsafe info.deallocate()
  }

  /// Maps a writable buffer for reading and writing; false when it cannot be used as a frame.
  ///
  /// What a buffer says about itself comes from outside and may be wrong. A frame is made only of
  /// planes that lie wholly in the mapped memory, and only of a buffer that shows nothing else.
  func map(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
    unmap()
    guard unsafe showsOneWholeFrame(buffer) else { return false }
    guard unsafe vbg_video_frame_map(mapped, info, buffer, 1) != 0 else { return false }
    frame = makeFrame()
    if frame == nil { unsafe gst_video_frame_unmap(mapped) }
    return frame != nil
  }

  /// Ends the mapping, if there is one; the frame's planes are not to be used any more.
  func unmap() {
    guard frame != nil else { return }
    frame = nil
    unsafe gst_video_frame_unmap(mapped)
  }

  /// Makes a buffer of the negotiated format in system memory; nil when there is no memory.
  ///
  /// The caller owns the buffer.
  func makeBuffer() -> UnsafeMutablePointer<GstBuffer>? {
    unsafe gst_buffer_new_allocate(nil, info.pointee.size, nil)
  }

  /// Whether all that a reader can see of the buffer is one picture of the negotiated size.
  ///
  /// A cropping rectangle, further views or lines below the picture would show parts of the memory
  /// that nobody has worked on. A picture that differs from the caps would also make
  /// `gst_video_frame_map` complain about a programming error.
  private func showsOneWholeFrame(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
    let width = unsafe guint(info.pointee.width)
    let height = unsafe guint(info.pointee.height)
    if let meta = unsafe gst_buffer_get_video_meta(buffer) {
      guard
        unsafe meta.pointee.format == vbg_video_info_format(info),
        unsafe meta.pointee.width == width, unsafe meta.pointee.height == height,
        unsafe meta.pointee.n_planes == 2,
        unsafe gst_buffer_get_n_meta(buffer, gst_video_meta_api_get_type()) == 1
      else { return false }
    }
    if let crop = unsafe vbg_buffer_crop_meta(buffer) {
      guard
        unsafe crop.pointee.x == 0, unsafe crop.pointee.y == 0,
        unsafe crop.pointee.width == width, unsafe crop.pointee.height == height
      else { return false }
    }
    return true
  }

  private func makeFrame() -> Frame? {
    let (width, height) = unsafe (Int(info.pointee.width), Int(info.pointee.height))
    // With a GstVideoMeta each plane has a mapping of its own; without, all share the first.
    let hasMeta = unsafe mapped.pointee.meta != nil
    let lumaMap = unsafe mapped.pointee.map.0
    let chromaMap = unsafe hasMeta ? mapped.pointee.map.1 : lumaMap
    guard
      let luma = unsafe makePlane(
        data: mapped.pointee.data.0, map: lumaMap, stride: mapped.pointee.info.stride.0,
        width: width, height: height),
      let chroma = unsafe makePlane(
        data: mapped.pointee.data.1, map: chromaMap, stride: mapped.pointee.info.stride.1,
        width: (width + 1) / 2 * 2, height: (height + 1) / 2)
    else { return nil }
    return Frame(luma: luma, chroma: chroma)
  }

  /// Makes a plane if all of its rows lie in the mapped memory.
  private func makePlane(
    data: gpointer?, map: GstMapInfo, stride: gint, width: Int, height: Int
  ) -> Plane? {
    guard let start = unsafe map.data, let data = unsafe data, unsafe data >= gpointer(start) else {
      return nil
    }
    let available = unsafe Int(clamping: map.size) - (data - gpointer(start))
    guard stride >= width, (height - 1) * Int(stride) + width <= available else { return nil }
    return unsafe Plane(
      base: data.assumingMemoryBound(to: UInt8.self), width: width, height: height,
      stride: Int(stride))
  }
}
