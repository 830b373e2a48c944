import CGStreamer
import Glibc
import Testing

/// A folder of a test's own, removed with all files that were made in it.
final class TestFolder {
  let path: String
  private var files: [String] = []

  init() throws {
    var template = Array("/tmp/vbgfilter-test-XXXXXX".utf8CString)
    path = unsafe String(cString: try #require(mkdtemp(&template)))
  }

  deinit {
    for file in files { unsafe unlink(file) }
    unsafe rmdir(path)
  }

  /// Writes a file; returns its path.
  @discardableResult
  func write(_ name: String, _ text: String = "") throws -> String {
    let file = "\(path)/\(name)"
    let descriptor = unsafe open(file, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    files.append(file)
    try #require(unsafe Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count)
    return file
  }

  /// Makes a symbolic link to a file of the same name in another folder.
  func link(_ name: String, from folder: String) throws {
    files.append("\(path)/\(name)")
    try #require(unsafe symlink("\(folder)/\(name)", "\(path)/\(name)") == 0)
  }

  /// Writes a picture of one colour, given as ARGB; returns its path.
  func writePicture(
    _ name: String, color: UInt32, width: Int = 64, height: Int = 36
  ) throws -> String {
    let file = try write(name)
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
