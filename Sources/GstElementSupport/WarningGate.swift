import CGStreamer

/// Limits the rate of warnings: each text at most once, and at most five texts, per ten seconds.
///
/// Not thread-safe.
package struct WarningGate {
  /// The length of the interval, in microseconds.
  private static let interval: Int64 = 10_000_000

  private var start: Int64?
  private var passed: [String] = []
  private var suppressed = 0

  package init() {}

  /// Returns the text to post, or nil if the gate suppresses it.
  ///
  /// The returned text ends with the number of texts suppressed since the last one, if any. `time`
  /// is in microseconds of GLib's monotonic clock.
  package mutating func admit(
    _ text: String, at time: Int64 = Int64(g_get_monotonic_time())
  ) -> String? {
    if time - (start ?? time) >= Self.interval {
      start = nil
      passed.removeAll()
    }
    guard passed.count < 5, !passed.contains(text) else {
      suppressed += 1
      return nil
    }
    defer { suppressed = 0 }
    start = start ?? time
    passed.append(text)
    return suppressed == 0 ? text : "\(text) (and \(suppressed) more since the last warning)"
  }
}
