import CGStreamer
import TestSupport
import Testing

extension TemporaryFolder {
  /// Writes a picture of one colour, given as ARGB; returns its path.
  func writePicture(
    _ name: String, color: UInt32, width: Int = 64, height: Int = 36
  ) throws -> String {
    let file = write(name)
    GStreamer.prepare()
    let pipeline = unsafe try #require(
      gst_parse_launch(
        "videotestsrc num-buffers=1 pattern=solid-color foreground-color=\(color) ! "
          + "video/x-raw, format=RGBA, width=\(width), height=\(height) ! pngenc ! "
          + "filesink location=\(file)", nil))
    defer { unsafe GStreamer.unref(pipeline) }
    unsafe gst_element_set_state(pipeline, GST_STATE_PLAYING)
    let bus = unsafe try #require(gst_element_get_bus(pipeline))
    defer { unsafe GStreamer.unref(bus) }
    let message = unsafe try #require(
      gst_bus_timed_pop_filtered(
        bus, GstClockTime(20_000_000_000),
        GstMessageType(GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)))
    let isDone = unsafe message.pointee.type == GST_MESSAGE_EOS
    unsafe GStreamer.unrefMini(message)
    unsafe gst_element_set_state(pipeline, GST_STATE_NULL)
    try #require(isDone)
    return file
  }
}
