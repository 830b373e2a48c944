import CGStreamer
import Glibc

/// GStreamer, initialised once for all tests of this process.
enum GStreamerInit {
  /// True once GStreamer can be used.
  static let done: Bool = {
    // What tests compile is of no use to anybody afterwards.
    unsafe setenv("VBGFILTER_CACHE", "0", 0)
    return gst_init_check(nil, nil, nil) != 0
  }()
}

/// Whether GStreamer has an element that not every installation has.
func hasDecoder(_ name: String) -> Bool {
  guard GStreamerInit.done, let factory = unsafe gst_element_factory_find(name) else {
    return false
  }
  unsafe gst_object_unref(UnsafeMutableRawPointer(factory))
  return true
}
