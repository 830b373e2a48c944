import CGStreamer

/// Limits the rate of warnings: each text at most once, and at most five texts, per ten seconds.
///
/// Used on one thread at a time.
package struct WarningGate {
  /// The length of the interval, in microseconds.
  package static let interval: Int64 = 10_000_000
  /// The maximum number of texts that pass in an interval.
  package static let maxTexts = 5

  private var start: Int64?
  private var passed: [String] = []
  private var suppressed = 0

  package init() {}

  /// The text to post, with the number of suppressed texts since the last one, or nil to suppress
  /// it.
  ///
  /// `time` is in microseconds of GLib's monotonic clock.
  package mutating func admit(
    _ text: String, at time: Int64 = Int64(g_get_monotonic_time())
  ) -> String? {
    if time - (start ?? time) >= Self.interval {
      start = nil
      passed.removeAll()
    }
    guard passed.count < Self.maxTexts, !passed.contains(text) else {
      suppressed += 1
      return nil
    }
    defer { suppressed = 0 }
    start = start ?? time
    passed.append(text)
    return suppressed == 0 ? text : "\(text) (and \(suppressed) more since the last warning)"
  }
}
