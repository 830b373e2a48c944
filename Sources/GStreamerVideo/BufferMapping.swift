import CGStreamer
import PixelTypes

/// Lays a buffer's memory open as a picture, one buffer at a time.
///
/// Used on the streaming thread alone.
@safe package final class BufferMapping {
  // Both are owned, and made once so that mapping a buffer allocates nothing. While `picture` is not
  // nil, `mapped` holds a mapping without a reference to its buffer; the base class holds the buffer
  // from `prepare_output_buffer` to the end of `transform` or `transform_ip`.
  private let info: UnsafeMutablePointer<GstVideoInfo>
  private let mapped: UnsafeMutablePointer<GstVideoFrame>
  private let format: PixelFormat
  private var rest = MemoryRest()
  // Owned; made with the first buffer that is needed.
  private var pool: UnsafeMutablePointer<GstBufferPool>?

  /// The planes of the mapped buffer; nil when none is mapped.
  package private(set) var picture: PicturePlanes?

  /// Maps buffers of a negotiated format, which is also named as the core knows it.
  ///
  /// Safety: `info` is valid during the call; it is copied.
  package init(info negotiated: UnsafePointer<GstVideoInfo>, format: PixelFormat) {
    self.format = format
    unsafe info = .allocate(capacity: 1)
    unsafe info.initialize(to: negotiated.pointee)
    unsafe mapped = .allocate(capacity: 1)
    unsafe mapped.initialize(to: GstVideoFrame())
  }

  deinit {
    unmap()
    if let pool = unsafe pool {
      // Buffers that are still on their way keep it until they come back.
      unsafe gst_buffer_pool_set_active(pool, 0)
      unsafe gst_object_unref(pool)
    }
    unsafe mapped.deallocate()
    unsafe info.deallocate()
  }

  /// Whether the buffers are of this format.
  ///
  /// Safety: `other` is valid during the call.
  package func isOf(_ other: UnsafePointer<GstVideoInfo>) -> Bool {
    unsafe gst_video_info_is_equal(info, other) != 0
  }

  /// Maps a buffer for reading, or a writable one for writing too; false when it cannot be used as a
  /// picture.
  ///
  /// What a buffer says about itself comes from outside and may be wrong: a picture is made only of
  /// planes that lie wholly in the mapped memory. A reader further on may look at all of that. So with
  /// `paintsRest` whatever of the buffer's memory is no picture is painted black, and a buffer that has
  /// memory which cannot be reached so cannot be used.
  package func map(
    _ buffer: UnsafeMutablePointer<GstBuffer>, isWritten: Bool, paintsRest: Bool = false
  ) -> Bool {
    unmap()
    guard let place = unsafe place(in: buffer) else { return false }
    // So that a mapping that tells nothing of its memory is not taken for the one before it.
    unsafe mapped.pointee = GstVideoFrame()
    guard unsafe vbgfilter_video_frame_map(mapped, info, buffer, isWritten ? 1 : 0) != 0 else {
      return false
    }
    picture = PicturePlanes(format: format) { makePlane($0, place) }
    guard let picture, unsafe !paintsRest || paintRest(of: buffer, around: picture) else {
      picture = nil
      unsafe gst_video_frame_unmap(mapped)
      return false
    }
    return true
  }

  /// Makes a mapping for buffers of the same format.
  package func makeAnother() -> BufferMapping {
    unsafe BufferMapping(info: info, format: format)
  }

  /// Copies the mapped picture of another mapping of the same format into the one that is mapped here.
  package func copyPicture(from other: BufferMapping) {
    guard let picture, let source = other.picture else { return }
    for number in 0..<format.planeCount {
      let (from, to) = (source[number], picture[number])
      for y in 0..<to.height { unsafe to.row(y).update(from: from.row(y), count: to.width) }
    }
  }

  /// Ends the mapping, if there is one; the picture's planes are not to be used any more.
  package func unmap() {
    guard picture != nil else { return }
    picture = nil
    unsafe gst_video_frame_unmap(mapped)
  }

  /// A buffer of the negotiated format in system memory; nil when there is no memory.
  ///
  /// The caller owns the buffer; what it holds comes from earlier ones. Memory that malloc gave anew
  /// for each frame would be spread over the arenas of all threads, which keep it.
  package func makeBuffer() -> UnsafeMutablePointer<GstBuffer>? {
    if unsafe pool == nil { unsafe pool = makePool() }
    guard let pool = unsafe pool else { return nil }
    var buffer: UnsafeMutablePointer<GstBuffer>?
    guard unsafe gst_buffer_pool_acquire_buffer(pool, &buffer, nil) == GST_FLOW_OK else {
      return nil
    }
    return unsafe buffer
  }

  private func makePool() -> UnsafeMutablePointer<GstBufferPool>? {
    guard let caps = unsafe gst_video_info_to_caps(info) else { return nil }
    defer { unsafe gst_mini_object_unref(UnsafeMutablePointer(OpaquePointer(caps))) }
    guard let pool = unsafe gst_buffer_pool_new() else { return nil }
    let configuration = unsafe gst_buffer_pool_get_config(pool)
    unsafe gst_buffer_pool_config_set_params(
      configuration, caps, guint(clamping: info.pointee.size), 0, 0)
    guard unsafe gst_buffer_pool_set_config(pool, configuration) != 0,
      unsafe gst_buffer_pool_set_active(pool, 1) != 0
    else {
      unsafe gst_object_unref(pool)
      return nil
    }
    return unsafe pool
  }

  /// Where the picture lies in the memory that a buffer describes.
  private struct Place {
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
  private func place(in buffer: UnsafeMutablePointer<GstBuffer>) -> Place? {
    let (width, height) = unsafe (Int(info.pointee.width), Int(info.pointee.height))
    var place = Place(width: width, height: height, outerWidth: width, outerHeight: height)
    if let meta = unsafe gst_buffer_get_video_meta(buffer) {
      guard
        unsafe meta.pointee.format == vbgfilter_video_info_format(info),
        unsafe Int(meta.pointee.n_planes) == format.planeCount,
        // More than one are views or fields, of which only the first would be worked on.
        unsafe gst_buffer_get_n_meta(buffer, gst_video_meta_api_get_type()) == 1
      else { return nil }
      place.outerWidth = unsafe Int(meta.pointee.width)
      place.outerHeight = unsafe Int(meta.pointee.height)
    }
    if let crop = unsafe vbgfilter_buffer_crop_meta(buffer) {
      (place.x, place.y) = unsafe (Int(crop.pointee.x), Int(crop.pointee.y))
      guard
        unsafe crop.pointee.width == guint(width), unsafe crop.pointee.height == guint(height),
        // Otherwise a chroma sample would lie half inside.
        !format.sharesChroma || (place.x % 2 == 0 && place.y % 2 == 0)
      else { return nil }
    }
    guard
      place.x + width <= place.outerWidth, place.y + height <= place.outerHeight
    else { return nil }
    return place
  }

  /// A plane of the mapped picture; nil when it does not lie in the mapped memory.
  private func makePlane(_ number: Int, _ place: Place) -> Plane? {
    let size = format.planeSize(number, width: place.outerWidth, height: place.outerHeight)
    let memory = unsafe memory(ofPlane: number)
    guard
      let plane = unsafe makePlane(
        data: memory.data, map: memory.map, stride: memory.stride, width: size.width,
        height: size.height)
    else { return nil }
    let inner = format.planeSize(number, width: place.width, height: place.height)
    // Where pixels share chroma both are even, and so begin with a sample of it.
    let start = format.planeSize(number, width: place.x, height: place.y)
    return unsafe Plane(
      base: plane.row(start.height) + start.width, width: inner.width, height: inner.height,
      stride: plane.stride)
  }

  /// Paints what of a buffer's memory is no picture; false when not all of it can be reached.
  ///
  /// That is the memory before and after what is mapped of it too: whoever gets it can show it again.
  private func paintRest(
    of buffer: UnsafeMutablePointer<GstBuffer>, around picture: PicturePlanes
  ) -> Bool {
    var memories: guint = 0
    for number in 0..<format.planeCount {
      let map = unsafe memory(ofPlane: number).map
      // Memory that its owner maps in its own way, and does not tell where it begins and ends.
      guard let data = unsafe map.data, let memory = unsafe map.memory else { return false }
      var isPainted = false
      rest.begin()
      for other in 0..<format.planeCount
      where unsafe self.memory(ofPlane: other).map.memory == memory {
        if other < number { isPainted = true }
        rest.spare(picture[other], black: format.black(ofPlane: other))
      }
      if isPainted { continue }
      memories += 1
      unsafe rest.paint(
        from: data - Int(clamping: memory.pointee.offset),
        to: data + Int(clamping: map.maxsize))
    }
    return unsafe memories == gst_buffer_n_memory(buffer)
  }

  /// What the mapping says of a plane.
  private func memory(
    ofPlane number: Int
  ) -> (data: gpointer?, map: GstMapInfo, stride: gint) {
    let (data, map, stride) = unsafe (
      mapped.pointee.data, mapped.pointee.map, mapped.pointee.info.stride
    )
    // With a GstVideoMeta each plane has a mapping of its own; without, all share the first.
    let isShared = unsafe mapped.pointee.meta == nil
    return switch number {
    case 0: unsafe (data.0, map.0, stride.0)
    case 1: unsafe (data.1, isShared ? map.0 : map.1, stride.1)
    case 2: unsafe (data.2, isShared ? map.0 : map.2, stride.2)
    default: unsafe (data.3, isShared ? map.0 : map.3, stride.3)
    }
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

extension PixelFormat {
  /// What the bytes of a plane are where nothing is to be seen.
  fileprivate func black(ofPlane number: Int) -> UInt8 {
    if planeCount > 1, isChroma(plane: number) { return 128 }
    return planeCount > 1 && number == 0 ? 16 : 0
  }
}
