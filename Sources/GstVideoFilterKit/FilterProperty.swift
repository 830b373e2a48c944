import GstElementSupport

/// A property of an element that users can set by name, even while the element plays.
///
/// The default is the value of the stored property after `init()`. Users may set the property on
/// any thread, and the new value takes effect with the next frame. A name is a letter, then
/// letters, digits, `-` and `_`.
///
/// ```swift
/// struct Sepia: VideoFilter {
///   var strength = 1.0
///   static let properties: [FilterProperty<Self>] = [
///     .number("strength", \.strength, in: 0...1, "How much of the colour is replaced")
///   ]
/// ```
public struct FilterProperty<Element>: Sendable {
  let property: Property<Element>

  /// A fractional number, which can be bound to a GstController.
  public static func number(
    _ name: String, _ path: WritableKeyPath<Element, Double> & Sendable, in limits: Limits<Double>,
    _ summary: String
  ) -> Self {
    Self(
      property: .number(
        name, path, limits: (limits.least, limits.greatest), nick: nick(name), summary))
  }

  /// A whole number of at most 32 bits, which can be bound to a GstController.
  public static func integer(
    _ name: String, _ path: WritableKeyPath<Element, Int> & Sendable, in limits: Limits<Int>,
    _ summary: String
  ) -> Self {
    Self(
      property: .integer(
        name, path, limits: (limits.least, limits.greatest), nick: nick(name), summary))
  }

  /// A boolean.
  public static func flag(
    _ name: String, _ path: WritableKeyPath<Element, Bool> & Sendable, _ summary: String
  ) -> Self {
    Self(property: .flag(name, path, nick: nick(name), summary))
  }

  /// A string, for example the path of a file.
  public static func text(
    _ name: String, _ path: WritableKeyPath<Element, String> & Sendable, _ summary: String
  ) -> Self {
    Self(property: .text(name, path, nick: nick(name), emptyIsDefault: false, summary))
  }

  /// A case of a string enumeration, which users set by the case's raw value.
  public static func choice<Choice: CaseIterable & RawRepresentable<String> & Sendable>(
    _ name: String, _ path: WritableKeyPath<Element, Choice> & Sendable, _ summary: String
  ) -> Self {
    let cases = Array(Choice.allCases)
    let names = cases.map(\.rawValue)
    let enumeration = EnumSpecification(typeName: nil, values: names.map { ($0, $0) })
    let property = Property<Element>(
      PropertySpecification(name, nick: nick(name), summary, .choice(enumeration))
    ) {
      .choice(names.firstIndex(of: $0[keyPath: path].rawValue) ?? 0)
    } change: { value in
      guard case .choice(let index) = value, cases.indices.contains(index) else { return nil }
      return { $0[keyPath: path] = cases[index] }
    }
    return Self(property: property)
  }

  private static func nick(_ name: String) -> String { PropertySpecification.canonical(name) }
}

/// The minimum and maximum of a property, written as a range: `0...1`.
///
/// Unlike a range, limits in the wrong order do not trap. Instead, the plugin prints a warning when
/// it is loaded, and omits the element.
public struct Limits<Value: Comparable & Sendable>: Sendable {
  let least: Value
  let greatest: Value
}

extension Double {
  /// Creates limits from a minimum and a maximum.
  @_disfavoredOverload public static func ... (least: Double, greatest: Double) -> Limits<Double> {
    Limits(least: least, greatest: greatest)
  }
}

extension Int {
  /// Creates limits from a minimum and a maximum.
  @_disfavoredOverload public static func ... (least: Int, greatest: Int) -> Limits<Int> {
    Limits(least: least, greatest: greatest)
  }
}
