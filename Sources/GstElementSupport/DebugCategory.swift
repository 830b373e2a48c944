import CGStreamer

/// A category of GStreamer's debug log.
@safe package struct DebugCategory: @unchecked Sendable {
  // Owned by GStreamer, which never frees it and uses it on any thread; nil where GStreamer is built
  // without its debug log.
  let pointer: UnsafeMutablePointer<GstDebugCategory>?

  /// Finds the category of a name, or makes it.
  package init(_ name: String, _ description: String) {
    unsafe pointer = _gst_debug_category_new(name, 0, description)
  }

  /// Whether lines of a level are logged.
  func wants(_ level: GstDebugLevel) -> Bool {
    guard let pointer = unsafe pointer else { return false }
    return unsafe cgst_logs(pointer, level) != 0
  }
}
