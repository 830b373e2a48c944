import CGStreamer
import TestSupport
import Testing

@testable import GstVBGFilter

/// The layout of a frame's picture in memory, with junk in all bytes outside the picture.
struct FrameLayout: Sendable, CustomTestStringConvertible {
  /// Bytes after each row.
  var padding = 0
  /// Bytes between one plane and the next.
  var gap = 0
  /// Bytes after the last plane.
  var tail = 0
  /// Bytes of the memory before and after the range that it exposes.
  var hidden = (before: 0, after: 0)
  /// Columns and rows around the picture, which a crop excludes.
  var border = 0
  /// Whether each plane has its own memory.
  var isSplit = false
  /// Whether the buffer has a memory without planes.
  var hasSpareMemory = false
  /// Whether a GstVideoMeta describes the layout.
  ///
  /// Without one, the layout must be GStreamer's default.
  var isDescribed = true

  static let all: [FrameLayout] = [
    FrameLayout(isDescribed: false),
    FrameLayout(),
    FrameLayout(padding: 1),
    FrameLayout(padding: 32),
    FrameLayout(gap: 96),
    FrameLayout(tail: 200),
    FrameLayout(tail: 200, isDescribed: false),
    FrameLayout(hidden: (64, 0)),
    FrameLayout(hidden: (0, 64)),
    FrameLayout(hidden: (40, 24), isDescribed: false),
    FrameLayout(border: 8),
    FrameLayout(isSplit: true),
    FrameLayout(hasSpareMemory: true),
    FrameLayout(hasSpareMemory: true, isDescribed: false),
    FrameLayout(padding: 16, gap: 48, tail: 64, hidden: (32, 32), border: 4),
    FrameLayout(padding: 16, tail: 64, hidden: (32, 32), border: 4, isSplit: true),
  ]

  /// Returns a layout with random sizes.
  static func random(using random: inout SeededGenerator) -> FrameLayout {
    var layout = FrameLayout()
    func oneIn(_ chance: Int, _ range: ClosedRange<Int>) -> Int {
      Int.random(in: 0..<chance, using: &random) == 0 ? Int.random(in: range, using: &random) : 0
    }
    layout.tail = oneIn(4, 1...300)
    layout.hidden = (oneIn(4, 1...100), oneIn(4, 1...100))
    layout.hasSpareMemory = oneIn(8, 1...1) == 1
    layout.isDescribed = oneIn(3, 1...1) == 0
    guard layout.isDescribed else { return layout }
    layout.padding = oneIn(2, 1...70)
    layout.gap = oneIn(4, 1...200)
    layout.border = 2 * oneIn(4, 1...6)
    layout.isSplit = oneIn(4, 1...1) == 1
    return layout
  }

  var testDescription: String {
    "padding \(padding), gap \(gap), tail \(tail), hidden \(hidden), border \(border)"
      + (isSplit ? ", split" : "") + (hasSpareMemory ? ", spare memory" : "")
      + (isDescribed ? "" : ", not described")
  }
}

extension StreamFormat {
  /// Writes the picture of `NoisyRoom` into a new buffer, which the caller owns.
  func makeNoisyBuffer(_ layout: FrameLayout) throws -> UnsafeMutablePointer<GstBuffer> {
    let planes = TestPlanes(pixelFormat, format: frameFormat)
    planes.take(NoisyRoom.picture(frameFormat))
    let (width, height) = (
      frameFormat.width + 2 * layout.border, frameFormat.height + 2 * layout.border
    )
    var strides = unsafe [info.stride.0, info.stride.1, info.stride.2, info.stride.3]
    var offsets = unsafe [info.offset.0, info.offset.1, info.offset.2, info.offset.3]
    var size = unsafe Int(info.size)
    if layout.isDescribed {
      size = 0
      for number in 0..<pixelFormat.planeCount {
        let plane = pixelFormat.planeSize(number, width: width, height: height)
        if number > 0 { size += layout.gap }
        (strides[number], offsets[number]) = (gint(plane.width + layout.padding), gsize(size))
        size += (plane.width + layout.padding) * plane.height
      }
    }
    size += layout.tail
    var bytes = NoisyRoom.junk(size)
    for number in 0..<pixelFormat.planeCount {
      let plane = planes.planes[number]
      let start = pixelFormat.planeSize(number, width: layout.border, height: layout.border)
      for y in 0..<plane.height {
        let first = Int(offsets[number]) + (start.height + y) * Int(strides[number]) + start.width
        for x in 0..<plane.width { bytes[first + x] = unsafe plane.row(y)[x] }
      }
    }
    let buffer = unsafe try #require(gst_buffer_new())
    let starts = layout.isSplit ? offsets.prefix(pixelFormat.planeCount).map { Int($0) } : [0]
    for (start, end) in zip(starts, starts.dropFirst() + [size]) {
      unsafe try append(bytes[start..<end], hidden: layout.hidden, to: buffer)
    }
    if layout.hasSpareMemory {
      unsafe try append(NoisyRoom.junk(500)[...], hidden: (16, 16), to: buffer)
    }
    guard layout.isDescribed else { return unsafe buffer }
    unsafe gst_buffer_add_video_meta_full(
      buffer, GST_VIDEO_FRAME_FLAG_NONE, vbgfilter_video_info_format([info]), guint(width),
      guint(height), guint(pixelFormat.planeCount), &offsets, &strides)
    if layout.border > 0 {
      let border = guint(layout.border)
      unsafe try Self.crop(
        buffer, border, border, width: guint(frameFormat.width), height: guint(frameFormat.height))
    }
    return unsafe buffer
  }

  /// Adds a crop: the picture is this rectangle of the buffer's frame.
  static func crop(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ x: guint, _ y: guint, width: guint = 320,
    height: guint = 180
  ) throws {
    let crop = unsafe try #require(gst_buffer_add_meta(buffer, gst_video_crop_meta_get_info(), nil))
    unsafe crop.withMemoryRebound(to: GstVideoCropMeta.self, capacity: 1) { crop in
      unsafe (crop.pointee.x, crop.pointee.y) = (x, y)
      unsafe (crop.pointee.width, crop.pointee.height) = (width, height)
    }
  }

  private func append(
    _ bytes: ArraySlice<UInt8>, hidden: (before: Int, after: Int),
    to buffer: UnsafeMutablePointer<GstBuffer>
  ) throws {
    let size = hidden.before + bytes.count + hidden.after
    let memory = unsafe try #require(gst_allocator_alloc(nil, gsize(size), nil))
    var map = unsafe GstMapInfo()
    try #require(unsafe gst_memory_map(memory, &map, GST_MAP_WRITE) != 0)
    let all = NoisyRoom.junk(hidden.before) + Array(bytes) + NoisyRoom.junk(hidden.after)
    unsafe map.data.update(from: all, count: size)
    unsafe gst_memory_unmap(memory, &map)
    unsafe gst_memory_resize(memory, gssize(hidden.before), gsize(bytes.count))
    unsafe gst_buffer_append_memory(buffer, memory)
  }
}

extension NoisyRoom {
  /// Returns `count` bytes of junk.
  static func junk(_ count: Int) -> [UInt8] {
    (0..<count).map { junk[$0 % junk.count] }
  }
}
