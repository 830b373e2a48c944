import CGStreamer
import TestSupport
import Testing

@testable import GstBackground
@testable import GstVBGFilter

/// Pictures in buffers that describe their own layout.
@Suite struct VideoConversionTests {
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
    return unsafe try VideoConversion().withPicture(of: buffer, info) { _ in true } ?? false
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
}
