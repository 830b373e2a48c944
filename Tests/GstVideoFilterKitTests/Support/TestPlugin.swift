import CGStreamer
import Glibc
import Threads

@testable import GstVideoFilterKit

/// GStreamer, made ready once for the test process, with the test filters registered.
enum TestPlugin {
  static let plugin = Plugin(
    name: "kittests", summary: "Filters for tests", license: .lgpl,
    filters: [
      Gray.self, Brighter.self, Nothing.self, WrongID.self, Doubler.self, ThrowsEachThird.self,
      WrongProperties.self, NoFormats.self, Neither.self, SlowMean.self, FirstColor.self,
      Sleeper.self, Gray.self, Counted.self,
    ], switcher: "kit-switcher")

  /// Warnings of GLib's that came while the plugin was registered.
  static let warnings = Monitor<[String]>([])

  /// True once GStreamer can be used.
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
    // A complaint about a programming error ends the test process. GLib's own way to do that is a
    // breakpoint, which Swift's backtracer survives.
    _ = unsafe g_log_set_default_handler(
      { domain, level, text, _ in
        unsafe g_log_default_handler(domain, level, text, nil)
        if level.rawValue & G_LOG_LEVEL_CRITICAL.rawValue != 0 { abort() }
      }, nil)
    return isRegistered
  }()

  /// Lets GLib's complaints about programming errors pass; for a process of one test.
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
