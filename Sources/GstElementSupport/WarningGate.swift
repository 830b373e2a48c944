import CGStreamer

/// Keeps back warnings that would come too often: in ten seconds each text passes once, and five in
/// all.
package struct WarningGate {
  /// Microseconds for which it remembers what has passed.
  package static let interval: Int64 = 10_000_000
  /// How many different ones pass in that time: whoever sets something wrong twice is told twice.
  package static let most = 5

  private var start: Int64?
  private var passed: [String] = []
  private var keptBack = 0

  package init() {}

  /// What is to be posted as a warning, with the count of those that were kept back before; nil when
  /// this one is kept back.
  package mutating func admit(
    _ text: String, at time: Int64 = Int64(g_get_monotonic_time())
  ) -> String? {
    if time - (start ?? time) >= Self.interval {
      start = nil
      passed.removeAll()
    }
    guard passed.count < Self.most, !passed.contains(text) else {
      keptBack += 1
      return nil
    }
    defer { keptBack = 0 }
    start = start ?? time
    passed.append(text)
    return keptBack == 0 ? text : "\(text) (and \(keptBack) more since the last one)"
  }
}
