import CGStreamer
import PixelTypes

/// Maps buffers as pictures, one at a time.
///
/// Use it only on the streaming thread.
@safe package final class BufferMapping {
  // This object owns `info` and `mapped`, and allocates them once, so that mapping a buffer
  // allocates no memory.
  // While `picture` is not nil, `mapped` is a mapping without a reference to its buffer. The
  // element must keep the buffer alive until it has unmapped it.
  private let info: UnsafeMutablePointer<GstVideoInfo>
  private let mapped: UnsafeMutablePointer<GstVideoFrame>
  private let format: PixelFormat
  private var rest = MemoryRest()
  // This object owns the pool, and creates it for the first output buffer.
  private var pool: UnsafeMutablePointer<GstBufferPool>?

  /// The planes of the mapped buffer, or nil if no buffer is mapped.
  package private(set) var picture: PicturePlanes?

  /// Creates a mapping for buffers of a negotiated format.
  ///
  /// `format` is the pixel format in `info`.
  ///
  /// Safety: `info` must be valid during the call, which copies it.
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
      // Buffers that are still downstream keep a reference until they return.
      unsafe gst_buffer_pool_set_active(pool, 0)
      unsafe gst_object_unref(pool)
    }
    unsafe mapped.deallocate()
    unsafe info.deallocate()
  }

  /// Returns whether this object was created for the format `other`.
  ///
  /// Safety: `other` must be valid during the call.
  package func isCompatible(with other: UnsafePointer<GstVideoInfo>) -> Bool {
    unsafe gst_video_info_is_equal(info, other) != 0
  }

  /// Maps a buffer for reading or, with `isWritten`, for reading and writing.
  ///
  /// With `paintsRest`, the buffer's memory around the picture is painted black, because downstream
  /// elements can read it.
  ///
  /// Returns true on success. Returns false if the buffer cannot be used as a picture:
  /// - A plane of the picture is not inside the mapped memory. The buffer's metas are not trusted.
  /// - With `paintsRest`, some memory around the picture is not accessible.
  package func map(
    _ buffer: UnsafeMutablePointer<GstBuffer>, isWritten: Bool, paintsRest: Bool = false
  ) -> Bool {
    unmap()
    guard let origin = unsafe origin(of: buffer) else { return false }
    // A map function that does not fill all members must not keep values from the previous mapping.
    unsafe mapped.pointee = GstVideoFrame()
    guard unsafe vbgfilter_video_frame_map(mapped, info, buffer, isWritten ? 1 : 0) != 0 else {
      return false
    }
    if unsafe vbgfilter_video_frame_is_whole(mapped) != 0 {
      picture = PicturePlanes(format: format) { plane($0, from: origin) }
    }
    guard let picture, unsafe !paintsRest || paintRest(of: buffer, around: picture) else {
      picture = nil
      unsafe gst_video_frame_unmap(mapped)
      return false
    }
    return true
  }

  /// Creates another mapping for buffers of the same format.
  package func makeAnother() -> BufferMapping {
    unsafe BufferMapping(info: info, format: format)
  }

  /// Copies the mapped picture of `other`, which must have the same format, into this picture.
  package func copyPicture(from other: BufferMapping) {
    guard let picture, let source = other.picture else { return }
    for number in 0..<format.planeCount {
      let (from, to) = (source[number], picture[number])
      for y in 0..<to.height { unsafe to.row(y).update(from: from.row(y), count: to.width) }
    }
  }

  /// Ends the mapping, if there is one.
  ///
  /// The picture's planes must not be used after that.
  package func unmap() {
    guard picture != nil else { return }
    picture = nil
    unsafe gst_video_frame_unmap(mapped)
  }

  /// Allocates a buffer of the negotiated format in system memory, or returns nil on failure.
  ///
  /// The caller owns the buffer. Its contents are arbitrary. The buffer comes from a pool: if
  /// memory is allocated and freed on different threads for each frame, malloc's arenas grow.
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

  /// Returns the position of the picture in the frame that a buffer's metas describe, in pixels.
  ///
  /// Returns nil if the buffer is not a single picture of the size in the caps. For such a buffer,
  /// `gst_video_frame_map` would log a critical warning.
  private func origin(of buffer: UnsafeMutablePointer<GstBuffer>) -> (x: Int, y: Int)? {
    let (width, height) = unsafe (Int(info.pointee.width), Int(info.pointee.height))
    var (outerWidth, outerHeight) = (width, height)
    if let meta = unsafe gst_buffer_get_video_meta(buffer) {
      guard
        unsafe meta.pointee.format == vbgfilter_video_info_format(info),
        unsafe Int(meta.pointee.n_planes) == format.planeCount,
        // Several metas describe views or fields, of which only the first would be processed.
        unsafe gst_buffer_get_n_meta(buffer, gst_video_meta_api_get_type()) == 1
      else { return nil }
      (outerWidth, outerHeight) = unsafe (Int(meta.pointee.width), Int(meta.pointee.height))
    }
    var (x, y) = (0, 0)
    if let crop = unsafe vbgfilter_buffer_crop_meta(buffer) {
      (x, y) = unsafe (Int(crop.pointee.x), Int(crop.pointee.y))
      guard
        unsafe crop.pointee.width == guint(width), unsafe crop.pointee.height == guint(height),
        // Otherwise a chroma sample would be partly outside.
        !format.sharesChroma || (x % 2 == 0 && y % 2 == 0)
      else { return nil }
    }
    return x + width <= outerWidth && y + height <= outerHeight ? (x, y) : nil
  }

  /// Returns a plane of the mapped picture.
  private func plane(_ number: Int, from origin: (x: Int, y: Int)) -> Plane? {
    let stride = unsafe Int(vbgfilter_video_frame_stride(mapped, guint(number)))
    guard let data = unsafe vbgfilter_video_frame_data(mapped, guint(number)) else { return nil }
    let size = unsafe format.planeSize(
      number, width: Int(info.pointee.width), height: Int(info.pointee.height))
    // If pixels share chroma, `x` and `y` are even, so the picture begins with a whole sample.
    let start = format.planeSize(number, width: origin.x, height: origin.y)
    return unsafe Plane(
      base: data + start.height * stride + start.width, width: size.width, height: size.height,
      stride: stride)
  }

  /// Paints a buffer's memory around the picture black.
  ///
  /// This includes the memory before and after the mapped part, which other elements can map.
  /// Returns true on success, and false if some of the memory is not accessible.
  private func paintRest(
    of buffer: UnsafeMutablePointer<GstBuffer>, around picture: PicturePlanes
  ) -> Bool {
    var memories: guint = 0
    for number in 0..<format.planeCount {
      let map = unsafe vbgfilter_video_frame_plane_map(mapped, guint(number))
      // If a function of the memory's owner maps it, the bounds are not known.
      guard let data = unsafe map.data, let memory = unsafe map.memory else { return false }
      var isPainted = false
      rest.begin()
      for other in 0..<format.planeCount
      where unsafe vbgfilter_video_frame_plane_map(mapped, guint(other)).memory == memory {
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
}

extension PixelFormat {
  /// Returns the byte that fills a plane with black.
  ///
  /// If the format has alpha, the black is transparent.
  fileprivate func black(ofPlane number: Int) -> UInt8 {
    if planeCount > 1, isChroma(plane: number) { return 128 }
    return planeCount > 1 && number == 0 ? 16 : 0
  }
}
