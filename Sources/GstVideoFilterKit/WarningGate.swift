import CGStreamer

/// Lets one warning through in ten seconds, and counts those that it keeps back.
struct WarningGate {
  /// Microseconds between two warnings.
  static let interval: Int64 = 10_000_000

  private var lastPassed: Int64?
  private var keptBack = 0

  /// How many were kept back since the last that passed, if this one may pass; else nil.
  mutating func pass(at time: Int64 = Int64(g_get_monotonic_time())) -> Int? {
    if let lastPassed, time - lastPassed < Self.interval {
      keptBack += 1
      return nil
    }
    defer { keptBack = 0 }
    lastPassed = time
    return keptBack
  }

  /// What is to be posted as a warning; nil when there was one a short while ago.
  mutating func admit(_ text: @autoclosure () -> String) -> String? {
    guard let keptBack = pass() else { return nil }
    return keptBack == 0 ? text() : "\(text()) (and \(keptBack) more since the last one)"
  }

  /// Posts a warning, unless there was one a short while ago.
  mutating func postWarning(_ text: @autoclosure () -> String, on bus: ElementBus) {
    if let warning = admit(text()) { bus.postWarning(warning) }
  }
}
