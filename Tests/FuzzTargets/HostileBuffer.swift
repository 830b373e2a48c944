import CGStreamer
import CTestSupport
import TestSupport

/// A buffer that is full of room, with any metadata.
///
/// Owns a reference to the buffer.
@safe struct HostileBuffer: ~Copyable {
  /// The two bytes of which the room consists.
  ///
  /// No replacement of the room has bytes near them.
  private static let marks: [UInt8] = [77, 201]

  private let buffer: UnsafeMutablePointer<GstBuffer>
  /// The bytes of its memory, or nil if they cannot be mapped.
  private let contents: [UInt8]?

  /// Takes ownership of a buffer.
  @unsafe init(owning buffer: UnsafeMutablePointer<GstBuffer>) {
    unsafe self.buffer = buffer
    contents = unsafe Self.contents(of: buffer)
  }

  /// Makes a buffer for a negotiated format, or returns nil if there is no memory.
  init?(_ input: inout FuzzInput, for info: GstVideoInfo) {
    guard let buffer = unsafe gst_buffer_new() else { return nil }
    unsafe self.buffer = buffer
    if input.flag(onceIn: 12) {
      unsafe Self.addOwnMapping(to: buffer, info)
    } else {
      unsafe Self.addMemory(to: buffer, size: Int(info.size), &input)
      unsafe Self.addLayout(to: buffer, info, &input)
    }
    unsafe Self.addOthers(to: buffer, info, &input)
    unsafe buffer.pointee.pts =
      GstClockTime(input.flag(onceIn: 3) ? input.word(bytes: 8) : input.word(bytes: 4))
    if input.flag(onceIn: 4) {
      let flags = [
        GST_BUFFER_FLAG_DISCONT, GST_BUFFER_FLAG_GAP, GST_BUFFER_FLAG_CORRUPTED,
        GST_BUFFER_FLAG_DROPPABLE,
      ]
      unsafe gst_buffer_set_flags(buffer, input.choice(flags))
    }
    contents = unsafe Self.contents(of: buffer)
  }

  deinit {
    unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(buffer)))
  }

  /// Returns another reference, so that the buffer is not writable.
  func keep() -> HostileBuffer {
    unsafe gst_mini_object_ref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(buffer)))
    return unsafe HostileBuffer(owning: buffer)
  }

  /// Transfers ownership of the reference.
  consuming func release() -> UnsafeMutablePointer<GstBuffer> {
    let buffer = unsafe buffer
    unsafe gst_mini_object_ref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(buffer)))
    return unsafe buffer
  }

  /// Whether the memory still has its first contents.
  var isUntouched: Bool { unsafe Self.contents(of: buffer) == contents }

  /// The number and position of room bytes in the memory, or nil if there are none.
  var placeOfRoom: String? {
    guard let contents, let first = contents.firstIndex(where: Self.marks.contains) else {
      return nil
    }
    let count = contents.count(where: Self.marks.contains)
    return "\(count) of \(contents.count) bytes, the first at \(first)"
  }

  private static func contents(of buffer: UnsafeMutablePointer<GstBuffer>) -> [UInt8]? {
    var map = unsafe GstMapInfo()
    guard unsafe gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
    defer { unsafe gst_buffer_unmap(buffer, &map) }
    return unsafe Array(UnsafeBufferPointer(start: map.data, count: Int(map.size)))
  }

  // MARK: - Memory

  /// Adds memory with its own map function, as graphics drivers do.
  ///
  /// Such a function does not report the end of the memory, so the size must be true.
  private static func addOwnMapping(
    to buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo
  ) {
    var info = unsafe info
    unsafe gst_buffer_append_memory(buffer, gst_allocator_alloc(nil, info.size, nil))
    unsafe gst_buffer_memset(buffer, 0, marks[0], info.size)
    guard
      let meta = unsafe gst_buffer_add_video_meta(
        buffer, GST_VIDEO_FRAME_FLAG_NONE, vbgfilter_video_info_format(&info), guint(info.width),
        guint(info.height))
    else { return }
    unsafe own_mapping_set(meta)
  }

  /// Adds memory of about `size` bytes: in pieces, too little, too much, or that cannot be used.
  private static func addMemory(
    to buffer: UnsafeMutablePointer<GstBuffer>, size: Int, _ input: inout FuzzInput
  ) {
    var generator = SeededGenerator(seed: input.word(bytes: 1))
    let size = max(0, size + input.choice([0, 0, 0, 1, 64, 4096, -1, -64, -size / 2, -size]))
    let room = (0..<size).map { _ in marks[Int(truncatingIfNeeded: generator.next() & 1)] }
    // GStreamer merges more than 16 at once, and crashes if one of them cannot be mapped.
    let pieces = input.choice([1, 1, 1, 2, 3, 16])
    for piece in 0..<pieces {
      let part = room[size * piece / pieces..<size * (piece + 1) / pieces]
      unsafe gst_buffer_append_memory(buffer, memory(Array(part), &input))
    }
    if input.flag(onceIn: 10) {
      unsafe gst_buffer_resize(buffer, gssize(input.integer(in: 0...size)), -1)
    }
  }

  private static func memory(
    _ bytes: [UInt8], _ input: inout FuzzInput
  ) -> UnsafeMutablePointer<GstMemory> {
    let kind = input.integer(in: 0...9)
    if kind < 2 {
      return unsafe broken_memory_new(
        bytes, gsize(bytes.count),
        kind == 0 ? BROKEN_MEMORY_UNMAPPABLE : BROKEN_MEMORY_UNWRITABLE)
    }
    let space = unsafe g_malloc(gsize(max(bytes.count, 1)))
    unsafe space?.copyMemory(from: bytes, byteCount: bytes.count)
    let flags = kind == 2 ? GST_MEMORY_FLAG_READONLY : GstMemoryFlags(rawValue: 0)
    // Never nil, because existing memory is wrapped.
    guard
      let memory = unsafe gst_memory_new_wrapped(
        flags, space, gsize(bytes.count), 0, gsize(bytes.count), space, g_free)
    else { preconditionFailure("existing memory could not be wrapped") }
    return unsafe memory
  }

  // MARK: - Metas

  /// Adds metadata about the layout of the picture in the memory.
  private static func addLayout(
    to buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo, _ input: inout FuzzInput
  ) {
    var info = unsafe info
    let format = unsafe vbgfilter_video_info_format(&info)
    let (width, height) = unsafe (guint(info.width), guint(info.height))
    for number in 0..<input.choice([0, 1, 1, 1, 2]) {
      guard
        let meta = unsafe gst_buffer_add_video_meta(
          buffer, GST_VIDEO_FRAME_FLAG_NONE, format, width, height)
      else { return }
      unsafe meta.pointee.id = gint(number)
      for _ in 0..<input.integer(in: 0...3) {
        switch input.integer(in: 0...7) {
        case 0: unsafe meta.pointee.width = size(width, &input)
        case 1: unsafe meta.pointee.height = size(height, &input)
        case 2:
          unsafe meta.pointee.n_planes = guint(input.integer(in: 0...4))
        case 3:
          unsafe meta.pointee.format = input.choice([
            GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV21,
            GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_UNKNOWN,
          ])
        case 4: unsafe meta.pointee.offset.0 = offset(info, &input)
        case 5: unsafe meta.pointee.offset.1 = offset(info, &input)
        case 6: unsafe meta.pointee.stride.0 = stride(width, &input)
        default: unsafe meta.pointee.stride.1 = stride(width, &input)
        }
      }
    }
    if input.flag(onceIn: 4) { unsafe addCrop(to: buffer, width, height, &input) }
  }

  private static func addCrop(
    to buffer: UnsafeMutablePointer<GstBuffer>, _ width: guint, _ height: guint,
    _ input: inout FuzzInput
  ) {
    guard let meta = unsafe gst_buffer_add_meta(buffer, gst_video_crop_meta_get_info(), nil)
    else { return }
    unsafe meta.withMemoryRebound(to: GstVideoCropMeta.self, capacity: 1) { crop in
      unsafe crop.pointee.x = input.choice([0, 2, 4, 1, .max, 65536])
      unsafe crop.pointee.y = input.choice([0, 2, 4, 1, .max, 65536])
      unsafe crop.pointee.width = size(width, &input)
      unsafe crop.pointee.height = size(height, &input)
    }
  }

  private static func size(_ size: guint, _ input: inout FuzzInput) -> guint {
    input.choice([size, size + 2, size &- 2, 0, .max, 2 * size, 1, guint(1) << 31])
  }

  private static func offset(_ info: GstVideoInfo, _ input: inout FuzzInput) -> gsize {
    let (second, size) = unsafe (info.offset.1, info.size)
    return input.choice([0, second, second + 2, second - 1, size, size &- 1, .max, .max - size])
  }

  private static func stride(_ width: guint, _ input: inout FuzzInput) -> gint {
    let width = gint(width)
    return input.choice([width, width + 4, width - 1, 0, -width, .max, .min, 1, 2 * width])
  }

  /// Adds metas of other elements.
  private static func addOthers(
    to buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo, _ input: inout FuzzInput
  ) {
    if input.flag(onceIn: 8), let parent = unsafe gst_buffer_new_allocate(nil, 64, nil) {
      unsafe gst_buffer_memset(parent, 0, marks[0], 64)
      unsafe gst_buffer_add_parent_buffer_meta(buffer, parent)
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(parent)))
    }
    if input.flag(onceIn: 8) {
      unsafe gst_buffer_add_video_region_of_interest_meta(
        buffer, "face", guint(input.word(bytes: 2)), 0, guint(input.word(bytes: 2)), .max)
    }
    if input.flag(onceIn: 6) { unsafe addMask(to: buffer, info, &input) }
  }

  /// Adds a mask without a person, of any size and at any place.
  private static func addMask(
    to buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo, _ input: inout FuzzInput
  ) {
    let (width, height) = (input.integer(in: 1...16), input.integer(in: 1...16))
    let size = gsize(width * height) &+ input.choice([0, 0, gsize.max, 7])
    guard let mask = unsafe gst_buffer_new_allocate(nil, size == .max ? 1 : size, nil) else {
      return
    }
    defer {
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(mask)))
    }
    unsafe gst_buffer_memset(mask, 0, 0, gst_buffer_get_size(mask))
    let meta = unsafe gst_buffer_add_video_meta(
      mask, GST_VIDEO_FRAME_FLAG_NONE,
      input.flag(onceIn: 8) ? GST_VIDEO_FORMAT_NV12 : GST_VIDEO_FORMAT_GRAY8, guint(width),
      guint(height))
    if input.flag(onceIn: 3), let meta = unsafe meta {
      unsafe meta.pointee.stride.0 = stride(guint(width), &input)
    }
    if input.flag(onceIn: 3), let meta = unsafe meta {
      unsafe meta.pointee.offset.0 = input.choice([1, .max, .max - 16, 4096])
    }
    let frame = unsafe (guint(info.width), guint(info.height))
    let place = MaskPlace(
      x: input.choice([0, 0, 3, -1, .max, .min]), y: input.choice([0, 0, 3, -1, .max, .min]),
      width: self.size(frame.0, &input), height: self.size(frame.1, &input))
    unsafe "person".withCString { name in
      var region = unsafe MaskRegion(value: input.choice([1, 0, 255, 256, .max]), name: name)
      unsafe mask_attach(buffer, mask, &region, 1, place, input.flag(onceIn: 6) ? 0 : 1)
    }
  }
}
