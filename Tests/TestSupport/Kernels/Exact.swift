/// The arithmetic that specifications share.
enum Exact {
  /// Interpolates, with a weight of 0 to 256.
  static func mixed(_ a: UInt8, _ b: UInt8, _ weight: Int) -> UInt8 {
    UInt8((Int(a) * (256 - weight) + Int(b) * weight + 128) / 256)
  }

  /// Interpolates each sample of two rows.
  static func mixed(_ a: [UInt8], _ b: [UInt8], _ weight: Int) -> [UInt8] {
    zip(a, b).map { mixed($0, $1, weight) }
  }

  /// Interpolates, with a weight of 0 to 255 for `a`.
  static func blended(_ a: UInt8, _ b: UInt8, _ weight: Int) -> UInt8 {
    UInt8((2 * (Int(a) * weight + Int(b) * (255 - weight)) + 255) / 510)
  }

  static func byte(_ value: Int) -> UInt8 { UInt8(min(max(value, 0), 255)) }

  /// Rounds halves to even, and NaN to 0.
  static func byte(_ value: Float) -> UInt8 {
    value > 0 ? UInt8(min(value, 255).rounded(.toNearestOrEven)) : 0
  }

  /// Makes NaN the lower limit.
  static func clamped(_ value: Float, _ low: Float, _ high: Float) -> Float {
    value > low ? min(value, high) : low
  }
}
