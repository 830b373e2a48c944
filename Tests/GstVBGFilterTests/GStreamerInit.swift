import CGStreamer

/// GStreamer, initialised once for all tests of this process.
enum GStreamerInit {
  /// True once GStreamer can be used.
  static let done: Bool = gst_init_check(nil, nil, nil) != 0
}
