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
  /// What a buffer says about itself comes from outside and may be wrong: a frame is made only of
  /// planes that lie wholly in the mapped memory. Where the memory holds more than the picture, the
  /// rest is painted black, since a reader further on may look at it.
  func map(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
    unmap()
    guard let picture = unsafe picture(in: buffer) else { return false }
    // So that a mapping that tells nothing of its memory is not taken for the one before it.
    unsafe mapped.pointee = GstVideoFrame()
    guard unsafe vbg_video_frame_map(mapped, info, buffer, 1) != 0 else { return false }
    frame = makeFrame(picture)
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

  /// Where the picture lies in the memory that a buffer describes.
  private struct Picture {
    var x = 0
    var y = 0
    let width: Int
    let height: Int
    /// Size of the whole memory.
    var outerWidth: Int
    var outerHeight: Int
  }

  /// Where the picture lies in a buffer; nil when the buffer is not one picture of the caps' size.
  ///
  /// Such a buffer would also make `gst_video_frame_map` complain about a programming error.
  private func picture(in buffer: UnsafeMutablePointer<GstBuffer>) -> Picture? {
    let (width, height) = unsafe (Int(info.pointee.width), Int(info.pointee.height))
    var picture = Picture(width: width, height: height, outerWidth: width, outerHeight: height)
    if let meta = unsafe gst_buffer_get_video_meta(buffer) {
      guard
        unsafe meta.pointee.format == vbg_video_info_format(info),
        unsafe meta.pointee.n_planes == 2,
        // More than one are views or fields, of which only the first would be worked on.
        unsafe gst_buffer_get_n_meta(buffer, gst_video_meta_api_get_type()) == 1
      else { return nil }
      picture.outerWidth = unsafe Int(meta.pointee.width)
      picture.outerHeight = unsafe Int(meta.pointee.height)
    }
    if let crop = unsafe vbg_buffer_crop_meta(buffer) {
      (picture.x, picture.y) = unsafe (Int(crop.pointee.x), Int(crop.pointee.y))
      guard
        unsafe crop.pointee.width == guint(width), unsafe crop.pointee.height == guint(height),
        // Otherwise a chroma sample would lie half inside.
        picture.x % 2 == 0, picture.y % 2 == 0
      else { return nil }
    }
    guard
      picture.x + width <= picture.outerWidth, picture.y + height <= picture.outerHeight
    else { return nil }
    return picture
  }

  private func makeFrame(_ picture: Picture) -> Frame? {
    // With a GstVideoMeta each plane has a mapping of its own; without, all share the first.
    let hasMeta = unsafe mapped.pointee.meta != nil
    let lumaMap = unsafe mapped.pointee.map.0
    let chromaMap = unsafe hasMeta ? mapped.pointee.map.1 : lumaMap
    guard
      let luma = unsafe makePlane(
        data: mapped.pointee.data.0, map: lumaMap, stride: mapped.pointee.info.stride.0,
        width: picture.outerWidth, height: picture.outerHeight),
      let chroma = unsafe makePlane(
        data: mapped.pointee.data.1, map: chromaMap, stride: mapped.pointee.info.stride.1,
        width: (picture.outerWidth + 1) / 2 * 2, height: (picture.outerHeight + 1) / 2)
    else { return nil }
    return Frame(
      luma: luma.cropped(
        x: picture.x, y: picture.y, width: picture.width, height: picture.height,
        paintingRestWith: 16),
      chroma: chroma.cropped(
        x: picture.x, y: picture.y / 2, width: (picture.width + 1) / 2 * 2,
        height: (picture.height + 1) / 2, paintingRestWith: 128))
  }

  /// Makes a plane if all of its rows lie in the mapped memory.
  ///
  /// Memory of a graphics driver is mapped by a function of its own, which need not tell where it
  /// begins and ends; the address and the stride are then that function's word.
  private func makePlane(
    data: gpointer?, map: GstMapInfo, stride: gint, width: Int, height: Int
  ) -> Plane? {
    guard let data = unsafe data, stride >= width else { return nil }
    if let start = unsafe map.data {
      guard unsafe data >= gpointer(start) else { return nil }
      let available = unsafe Int(clamping: map.size) - (data - gpointer(start))
      // Both factors have at most 32 bits: no overflow.
      guard (height - 1) * Int(stride) + width <= available else { return nil }
    }
    return unsafe Plane(
      base: data.assumingMemoryBound(to: UInt8.self), width: width, height: height,
      stride: Int(stride))
  }
}

extension Plane {
  /// A part of the plane, which lies within it; the bytes around it are set to `value`.
  fileprivate func cropped(
    x: Int, y: Int, width: Int, height: Int, paintingRestWith value: UInt8
  ) -> Plane {
    if width == self.width, height == self.height { return self }
    for row in 0..<self.height {
      let start = unsafe self.row(row)
      if row < y || row >= y + height {
        unsafe start.update(repeating: value, count: self.width)
      } else {
        unsafe start.update(repeating: value, count: x)
        unsafe (start + x + width).update(repeating: value, count: self.width - x - width)
      }
    }
    return unsafe Plane(base: row(y) + x, width: width, height: height, stride: stride)
  }
}
