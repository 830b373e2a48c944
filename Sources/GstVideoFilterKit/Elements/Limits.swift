/// The least and the greatest value of a property, written as a range: `0...1`.
///
/// Unlike a range, limits in the wrong order do not trap: loading the plugin prints a warning and leaves
/// the element out.
public struct Limits<Value: Comparable & Sendable>: Sendable {
  let least: Value
  let greatest: Value
}

extension Double {
  /// Makes limits of the least and the greatest value.
  @_disfavoredOverload public static func ... (least: Double, greatest: Double) -> Limits<Double> {
    Limits(least: least, greatest: greatest)
  }
}

extension Int {
  /// Makes limits of the least and the greatest value.
  @_disfavoredOverload public static func ... (least: Int, greatest: Int) -> Limits<Int> {
    Limits(least: least, greatest: greatest)
  }
}
