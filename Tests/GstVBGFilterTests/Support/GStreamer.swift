import CGStreamer
import CVBGFilter
import Glibc
import TestSupport
import Testing

@testable import GstVBGFilter

/// GStreamer, initialised once for the test process, with the plugin linked in.
enum GStreamer {
  private static let isReady: Bool = {
    keepNetworksForThisProcess()
    precondition(gst_init_check(nil, nil, nil) != 0)
    gst_plugin_vbgfilter_register()
    // A critical log message ends the test process. GLib's own way to do that is a breakpoint, but
    // Swift's backtracer survives breakpoints.
    _ = unsafe g_log_set_default_handler(
      { domain, level, text, _ in
        unsafe g_log_default_handler(domain, level, text, nil)
        if level.rawValue & G_LOG_LEVEL_CRITICAL.rawValue != 0 { abort() }
      }, nil)
    return true
  }()

  private static let networks = TemporaryFolder()

  /// Keeps compiled networks until the process ends.
  ///
  /// The first test that uses a network compiles it, and the others load it from the cache. The
  /// process of an exit test uses the folder of its parent process.
  private static func keepNetworksForThisProcess() {
    guard unsafe getenv("VBGFILTER_CACHE") == nil else { return }
    unsafe setenv("VBGFILTER_CACHE", networks.path, 0)
    atexit { TemporaryFolder.remove(GStreamer.networks.path) }
  }

  /// Initialises GStreamer if necessary.
  static func prepare() {
    precondition(isReady)
  }

  /// Makes critical log messages harmless.
  ///
  /// Use it only in exit tests, because it affects the whole process.
  static func forgiveCriticals() {
    prepare()
    _ = unsafe g_log_set_default_handler(
      { domain, level, text, _ in unsafe g_log_default_handler(domain, level, text, nil) }, nil)
  }

  /// Makes an element with `properties`, which are written as on a command line.
  static func make(
    _ factory: String, _ properties: [String: String] = [:]
  ) throws -> UnsafeMutablePointer<GstElement> {
    prepare()
    let element = unsafe try #require(gst_element_factory_make(factory, nil))
    for (name, value) in properties {
      unsafe gst_util_set_object_arg(UnsafeMutablePointer(OpaquePointer(element)), name, value)
    }
    return unsafe element
  }

  /// Drops a reference to a GObject.
  static func unref<Object>(_ object: UnsafeMutablePointer<Object>) {
    unsafe g_object_unref(UnsafeMutableRawPointer(object))
  }

  /// Adds a reference to a mini object, for example a buffer or a message.
  @discardableResult
  static func refMini<Object>(
    _ object: UnsafeMutablePointer<Object>
  ) -> UnsafeMutablePointer<Object> {
    unsafe gst_mini_object_ref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(object)))
    return unsafe object
  }

  /// Drops a reference to a mini object, for example a buffer or a message.
  static func unrefMini<Object>(_ object: UnsafeMutablePointer<Object>) {
    unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(object)))
  }
}

/// Whether an optional element of GStreamer is installed.
func hasDecoder(_ name: String) -> Bool {
  GStreamer.prepare()
  guard let factory = unsafe gst_element_factory_find(name) else { return false }
  unsafe gst_object_unref(UnsafeMutableRawPointer(factory))
  return true
}
