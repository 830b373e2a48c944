import GstElementSupport

/// A property of an element that users can set by name, also while it plays.
///
/// The default is the value of the stored property after `init()`. It can be set on any thread; the value
/// takes effect with the next frame. Names are a letter, then letters, digits, `-` and `_`.
///
/// ```swift
/// struct Sepia: VideoFilter {
///   var strength = 1.0
///   static let properties: [FilterProperty<Self>] = [
///     .number("strength", \.strength, in: 0...1, "How much of the colour is replaced")
///   ]
/// ```
public struct FilterProperty<Element>: Sendable {
  let name: String
  let summary: String
  let kind: PropertyKind
  let read: @Sendable (Element) -> PropertyValue
  let write: @Sendable (inout Element, PropertyValue) -> Void

  /// A fractional number; it can be bound to a GstController.
  public static func number(
    _ name: String, _ path: WritableKeyPath<Element, Double> & Sendable, in limits: Limits<Double>,
    _ summary: String
  ) -> Self {
    Self(name: name, summary: summary, kind: .number(limits)) {
      .number($0[keyPath: path])
    } write: { element, value in
      if case .number(let number) = value { element[keyPath: path] = number }
    }
  }

  /// A whole number of at most 32 bits; it can be bound to a GstController.
  public static func integer(
    _ name: String, _ path: WritableKeyPath<Element, Int> & Sendable, in limits: Limits<Int>,
    _ summary: String
  ) -> Self {
    Self(name: name, summary: summary, kind: .integer(limits)) {
      .integer($0[keyPath: path])
    } write: { element, value in
      if case .integer(let number) = value { element[keyPath: path] = number }
    }
  }

  /// A boolean.
  public static func flag(
    _ name: String, _ path: WritableKeyPath<Element, Bool> & Sendable, _ summary: String
  ) -> Self {
    Self(name: name, summary: summary, kind: .flag) {
      .flag($0[keyPath: path])
    } write: { element, value in
      if case .flag(let flag) = value { element[keyPath: path] = flag }
    }
  }

  /// A string, the path of a file for example.
  public static func text(
    _ name: String, _ path: WritableKeyPath<Element, String> & Sendable, _ summary: String
  ) -> Self {
    Self(name: name, summary: summary, kind: .text) {
      .text($0[keyPath: path])
    } write: { element, value in
      if case .text(let text) = value { element[keyPath: path] = text ?? "" }
    }
  }

  /// A case of an enumeration of strings, by which users name it.
  public static func choice<Choice: CaseIterable & RawRepresentable<String> & Sendable>(
    _ name: String, _ path: WritableKeyPath<Element, Choice> & Sendable, _ summary: String
  ) -> Self {
    let cases = Array(Choice.allCases)
    let names = cases.map(\.rawValue)
    return Self(name: name, summary: summary, kind: .choice(names)) {
      .choice(names.firstIndex(of: $0[keyPath: path].rawValue) ?? 0)
    } write: { element, value in
      if case .choice(let index) = value, cases.indices.contains(index) {
        element[keyPath: path] = cases[index]
      }
    }
  }
}

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
