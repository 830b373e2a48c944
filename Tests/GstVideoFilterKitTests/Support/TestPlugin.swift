import CGStreamer
import Glibc
import Threads

@testable import GstVideoFilterKit

/// Initialises GStreamer and registers the test filters, once per test process.
enum TestPlugin {
  static let plugin = Plugin(
    name: "kittests", summary: "Filters for tests", license: .lgpl,
    filters: [
      Gray.self, Brighter.self, Nothing.self, WrongID.self, Doubler.self, ThrowsEachThird.self,
      WrongProperties.self, NoFormats.self, Neither.self, SlowMean.self, FirstColor.self,
      Sleeper.self, Gray.self, Counted.self,
    ], switcher: "kit-switcher")

  /// GLib warnings from the registration of the plugin.
  static let warnings = Monitor<[String]>([])

  /// Whether GStreamer is ready to use.
  static let isReady: Bool = {
    guard gst_init_check(nil, nil, nil) != 0 else { return false }
    unsafe g_log_set_handler(
      "GstVideoFilterKit", G_LOG_LEVEL_WARNING,
      { _, _, text, _ in
        guard let text = unsafe text else { return }
        let line = unsafe String(cString: text)
        TestPlugin.warnings.withLock { $0.append(line) }
      }, nil)
    let isRegistered = plugin.register()
    // A critical message ends the test process. GLib would raise a breakpoint, but Swift's
    // backtracer survives it.
    _ = unsafe g_log_set_default_handler(
      { domain, level, text, _ in
        unsafe g_log_default_handler(domain, level, text, nil)
        if level.rawValue & G_LOG_LEVEL_CRITICAL.rawValue != 0 { abort() }
      }, nil)
    return isRegistered
  }()

  /// Ignores critical messages of GLib, in a process that runs a single test.
  static func forgiveCriticals() {
    _ = isReady
    _ = unsafe g_log_set_default_handler(
      { domain, level, text, _ in unsafe g_log_default_handler(domain, level, text, nil) }, nil)
  }
}

/// Pauses the calling thread.
func sleep(milliseconds: Int) {
  g_usleep(gulong(milliseconds * 1000))
}
