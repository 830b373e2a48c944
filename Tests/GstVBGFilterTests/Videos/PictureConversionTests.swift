import CGStreamer
import Testing

@testable import GstBackground
@testable import GstVBGFilter

/// Pictures in buffers that describe their own layout.
@Suite struct PictureConversionTests {
  /// Returns whether a picture can be used if the last `missing` bytes of its buffer are missing.
  private func isUsed(_ format: String, missing: Int) throws -> Bool {
    GStreamer.prepare()
    var info = unsafe GstVideoInfo()
    let (width, height) = (guint(64), guint(48))
    try #require(
      unsafe gst_video_info_set_format(
        &info, gst_video_format_from_string(format), width, height) != 0)
    let size = unsafe info.size
    let buffer = unsafe try #require(gst_buffer_new_allocate(nil, size, nil))
    defer { unsafe GStreamer.unrefMini(buffer) }
    unsafe gst_buffer_memset(buffer, 0, 128, size)
    unsafe withUnsafeMutablePointer(to: &info.offset.0) { offsets in
      unsafe withUnsafeMutablePointer(to: &info.stride.0) { strides in
        _ = unsafe gst_buffer_add_video_meta_full(
          buffer, GST_VIDEO_FRAME_FLAG_NONE, gst_video_format_from_string(format), width, height,
          gst_video_format_get_info(gst_video_format_from_string(format)).pointee.n_planes,
          offsets, strides)
      }
    }
    unsafe gst_buffer_set_size(buffer, gssize(Int(size) - missing))
    let conversion = PictureConversion()
    if unsafe PictureConversion.needsAlphaOrRGB(info) {
      return unsafe try conversion.makeRGBA(buffer, info) != nil
    }
    return unsafe try conversion.withNV12(of: buffer, info) { _ in true } ?? false
  }

  @Test(
    "uses only pictures that are whole",
    arguments: ["I420", "NV12", "Y42B", "I420_10LE", "P010_10LE", "YUY2", "RGBA", "v210"])
  func wholePictures(format: String) throws {
    #expect(try isUsed(format, missing: 0))
    for missing in [1, 64, 1000] {
      #expect(try !isUsed(format, missing: missing), "\(missing) bytes are missing")
    }
  }

  @Test("reads the same colours from every layout", arguments: ["I420", "NV12", "Y42B", "Y444"])
  func layouts(format name: String) throws {
    GStreamer.prepare()
    let format = unsafe gst_video_format_from_string(name)
    var info = unsafe GstVideoInfo()
    try #require(unsafe gst_video_info_set_format(&info, format, 34, 18) != 0)
    let buffer = unsafe try #require(gst_buffer_new_allocate(nil, info.size, nil))
    defer { unsafe GStreamer.unrefMini(buffer) }
    let (cb, cr) = unsafe (Int(info.offset.1), Int(info.offset.2))
    let size = unsafe Int(info.size)
    unsafe gst_buffer_memset(buffer, 0, 50, gsize(cb))
    if format == GST_VIDEO_FORMAT_NV12 {
      for position in stride(from: cb, to: size, by: 2) {
        unsafe gst_buffer_memset(buffer, gsize(position), 90, 1)
        unsafe gst_buffer_memset(buffer, gsize(position + 1), 201, 1)
      }
    } else {
      unsafe gst_buffer_memset(buffer, gsize(cb), 90, gsize(cr - cb))
      unsafe gst_buffer_memset(buffer, gsize(cr), 201, gsize(size - cr))
    }
    let conversion = PictureConversion()
    // The second time, the memory of the first is reused.
    for _ in 0..<2 {
      let isRead = unsafe try conversion.withNV12(of: buffer, info) { picture in
        for y in 0..<18 {
          for x in 0..<34 {
            let (luma, pair) = unsafe (picture.luma.row(y)[x], picture.chroma.row(y / 2) + (x & ~1))
            #expect(unsafe luma == 50 && pair[0] == 90 && pair[1] == 201)
          }
        }
        return true
      }
      #expect(isRead == true)
    }
  }

  @Test(
    "converts interlaced pictures with few rows",
    arguments: ["Y42B", "I420_10LE", "YUY2", "A420"], [1, 2, 3, 5, 6])
  func fewRows(format name: String, height: Int) throws {
    GStreamer.prepare()
    var info = unsafe GstVideoInfo()
    let format = unsafe gst_video_format_from_string(name)
    try #require(unsafe gst_video_info_set_format(&info, format, 17, guint(height)) != 0)
    unsafe info.interlace_mode = GST_VIDEO_INTERLACE_MODE_INTERLEAVED
    let buffer = unsafe try #require(gst_buffer_new_allocate(nil, info.size, nil))
    defer { unsafe GStreamer.unrefMini(buffer) }
    unsafe gst_buffer_memset(buffer, 0, 128, info.size)
    let conversion = PictureConversion()
    if name != "A420" {
      #expect(unsafe try conversion.withNV12(of: buffer, info) { $0.luma.height } == height)
    }
    #expect(unsafe try conversion.makeRGBA(buffer, info)?.height == height)
  }

  // GStreamer itself refuses a smaller size.
  @Test("refuses a picture if its meta has a larger size", arguments: [(34, 20), (40, 18)])
  func largerSize(width: Int, height: Int) throws {
    GStreamer.prepare()
    var info = unsafe GstVideoInfo()
    try #require(unsafe gst_video_info_set_format(&info, GST_VIDEO_FORMAT_I420, 34, 18) != 0)
    let buffer = unsafe try #require(gst_buffer_new_allocate(nil, 4096, nil))
    defer { unsafe GStreamer.unrefMini(buffer) }
    let meta = unsafe gst_buffer_add_video_meta(
      buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, guint(width), guint(height))
    #expect(unsafe meta != nil)
    #expect(unsafe try PictureConversion().withNV12(of: buffer, info) { $0.luma.height } == nil)
  }
}
