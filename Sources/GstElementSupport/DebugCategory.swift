import CGStreamer

/// A category of GStreamer's debug log.
@safe package struct DebugCategory: @unchecked Sendable {
  // Made by GStreamer, which keeps it for ever and serves any thread; nil where it logs nothing.
  let pointer: UnsafeMutablePointer<GstDebugCategory>?

  /// Finds the category of a name, or makes it.
  package init(_ name: String, _ description: String) {
    unsafe pointer = _gst_debug_category_new(name, 0, description)
  }

  /// Whether the log wants lines of a level.
  func wants(_ level: GstDebugLevel) -> Bool {
    guard let pointer = unsafe pointer else { return false }
    return unsafe cgst_logs(pointer, level) != 0
  }
}
