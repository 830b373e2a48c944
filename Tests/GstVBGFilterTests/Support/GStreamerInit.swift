import CGStreamer
import Glibc
import TestSupport

/// GStreamer, initialised once for all tests of this process.
enum GStreamerInit {
  /// True once GStreamer can be used.
  static let done: Bool = {
    keepNetworksForThisProcess()
    return gst_init_check(nil, nil, nil) != 0
  }()

  private static let networks = TemporaryFolder()

  /// Keeps compiled networks until the process ends.
  ///
  /// The first test that uses a network compiles it, and the others load it from the cache. The
  /// process of an exit test uses the folder of its parent process.
  private static func keepNetworksForThisProcess() {
    guard unsafe getenv("VBGFILTER_CACHE") == nil else { return }
    unsafe setenv("VBGFILTER_CACHE", networks.path, 0)
    atexit { TemporaryFolder.remove(GStreamerInit.networks.path) }
  }
}

/// Whether an optional element of GStreamer is installed.
func hasDecoder(_ name: String) -> Bool {
  guard GStreamerInit.done, let factory = unsafe gst_element_factory_find(name) else {
    return false
  }
  unsafe gst_object_unref(UnsafeMutableRawPointer(factory))
  return true
}
