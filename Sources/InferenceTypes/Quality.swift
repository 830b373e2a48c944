/// How well the person is found, and at what cost.
public enum Quality: String, CaseIterable, Sendable {
  /// A small network: about a millisecond a frame.
  case fast
  /// A recurrent matting network at a small size.
  case balanced
  /// The same at twice the size.
  case accurate
}

extension Quality: Comparable {
  /// By cost, the cheapest first.
  public static func < (a: Self, b: Self) -> Bool {
    let order = allCases
    return (order.firstIndex(of: a) ?? 0) < (order.firstIndex(of: b) ?? 0)
  }
}
