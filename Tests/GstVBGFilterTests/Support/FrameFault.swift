import CGStreamer
import CTestSupport
import Testing

/// The ways in which a test makes a frame fail.
enum FrameFault: CaseIterable, Sendable {
  case inference
  case unmappableMemory
  case unwritableMemory
  case memoryTooSmall
  case strideTooSmall
  case strideTooLarge
  case negativeStride
  case offsetOutside
  case anotherSize
  case anotherFormat
  case twoViews
  case oddCrop
  case cropOutside

  /// The faults after which no picture is available.
  ///
  /// Memory that is not writable is copied instead.
  static let hiding = allCases.filter { $0 != .unwritableMemory }
}

extension TestFilter {
  /// Makes a buffer with a picture of the room and a fault, which the caller owns.
  func makeBuffer(with fault: FrameFault) throws -> UnsafeMutablePointer<GstBuffer> {
    let hasMeta = ![.inference, .unmappableMemory, .unwritableMemory, .memoryTooSmall]
      .contains(fault)
    let buffer = unsafe makeBuffer(hasMeta: hasMeta)
    switch fault {
    case .inference:
      models.change("good") { $0.inferenceFailure = .init(.inferenceFailed, "no") }
    case .unmappableMemory: unsafe try breakMemory(of: buffer, BROKEN_MEMORY_UNMAPPABLE)
    case .unwritableMemory: unsafe try breakMemory(of: buffer, BROKEN_MEMORY_UNWRITABLE)
    case .memoryTooSmall: unsafe gst_buffer_resize(buffer, 0, 1000)
    default: break
    }
    guard let meta = unsafe gst_buffer_get_video_meta(buffer) else { return unsafe buffer }
    switch fault {
    case .strideTooSmall: unsafe meta.pointee.stride.1 = 100
    case .strideTooLarge: unsafe meta.pointee.stride.0 = .max
    case .negativeStride: unsafe meta.pointee.stride.0 = -320
    case .offsetOutside: unsafe meta.pointee.offset.1 += 320 * 80
    case .anotherSize: unsafe meta.pointee.width = 160
    case .anotherFormat:
      unsafe meta.pointee.format =
        stream.pixelFormat == .nv21 ? GST_VIDEO_FORMAT_NV12 : GST_VIDEO_FORMAT_NV21
    case .twoViews:
      unsafe gst_buffer_add_video_meta(
        buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_NV12, 320, 180
      )?.pointee.id = 1
    case .oddCrop, .cropOutside:
      let (x, y): (guint, guint) = fault == .oddCrop ? (1, 0) : (.max, 2)
      unsafe try StreamFormat.crop(buffer, x, y)
    default: break
    }
    return unsafe buffer
  }

  private func breakMemory(
    of buffer: UnsafeMutablePointer<GstBuffer>, _ kind: BrokenMemoryKind
  ) throws {
    var map = unsafe GstMapInfo()
    try #require(unsafe gst_buffer_map(buffer, &map, GST_MAP_READ) != 0)
    let memory = unsafe broken_memory_new(try #require(map.data), map.size, kind)
    unsafe gst_buffer_unmap(buffer, &map)
    unsafe gst_buffer_replace_all_memory(buffer, memory)
  }
}
