/// A type whose stored properties have their defaults after `init()`.
package protocol DefaultInitializable: SendableMetatype {
  init()
}

/// A Swift enumeration whose cases are the values of a property.
package protocol PropertyChoice: Equatable, Sendable {
  /// The name of the GType.
  static var typeName: String { get }
  /// All cases, in the order of their numbers in GObject.
  static var choices: [(value: Self, nick: String, blurb: String)] { get }
}

/// A value that is parsed from a string once; it keeps the string as it was set.
package protocol PropertyReading: Sendable {
  init(_ text: String)
  var text: String { get }
}

/// A property of elements: its specification for GObject, and its member of the settings.
///
/// The default is the member's value after `init()`.
package struct Property<Settings: DefaultInitializable>: Sendable {
  /// Calls a function with the settings, under the lock that guards them.
  package typealias Lock = (_ body: (inout Settings) -> Void) -> Void

  let specification: PropertySpecification
  let read: @Sendable (Settings) -> PropertyValue
  let write: @Sendable (PropertyValue, Lock) -> Void

  /// Makes a property of a stored value; `value` returns nil for a value that is not allowed.
  private init<Value>(
    _ name: String, _ path: WritableKeyPath<Settings, Value> & Sendable, nick: String?,
    _ blurb: String, _ kind: PropertySpecification.Kind,
    access: PropertySpecification.Access = .playing, isControllable: Bool = false,
    shown: @escaping @Sendable (Value) -> PropertyValue,
    value: @escaping @Sendable (PropertyValue) -> Value?
  ) {
    specification = PropertySpecification(
      name: name, nick: nick, blurb: blurb, kind: kind,
      initial: shown(Settings()[keyPath: path]), access: access, isControllable: isControllable)
    read = { shown($0[keyPath: path]) }
    write = { taken, withLock in
      // Before the lock is taken: parsing may take a while.
      if let value = value(taken) { withLock { $0[keyPath: path] = value } }
    }
  }

  private init(
    _ specification: PropertySpecification, read: @escaping @Sendable (Settings) -> PropertyValue,
    write: @escaping @Sendable (PropertyValue, Lock) -> Void
  ) {
    self.specification = specification
    self.read = read
    self.write = write
  }

  /// A fractional number, which can be bound to a GstController.
  package static func number(
    _ name: String, _ path: WritableKeyPath<Settings, Double> & Sendable,
    in range: ClosedRange<Double>, nick: String? = nil, _ blurb: String
  ) -> Self {
    Self(name, path, nick: nick, blurb, .number(range), isControllable: true) {
      .number($0)
    } value: {
      // GObject passes a GValue made by hand on as it is.
      if case .number(let number) = $0 { number.limited(to: range) } else { nil }
    }
  }

  /// A whole number of at most 32 bits, not negative.
  package static func unsigned<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ path: WritableKeyPath<Settings, Number> & Sendable,
    in range: ClosedRange<UInt32> = 0...UInt32.max, nick: String? = nil,
    access: PropertySpecification.Access = .playing, isControllable: Bool = false, _ blurb: String
  ) -> Self {
    Self(
      name, path, nick: nick, blurb, .unsigned(range), access: access,
      isControllable: isControllable
    ) {
      .unsigned(UInt32(clamping: $0))
    } value: {
      if case .unsigned(let number) = $0 {
        Number(clamping: number.limited(to: range))
      } else {
        nil
      }
    }
  }

  /// A boolean.
  package static func flag(
    _ name: String, _ path: WritableKeyPath<Settings, Bool> & Sendable, nick: String? = nil,
    _ blurb: String
  ) -> Self {
    Self(name, path, nick: nick, blurb, .flag) {
      .flag($0)
    } value: {
      if case .flag(let flag) = $0 { flag } else { nil }
    }
  }

  /// A boolean that has no effect any more but can still be set.
  package static func deprecatedFlag(_ name: String, _ blurb: String) -> Self {
    let value = PropertyValue.flag(false)
    return Self(
      PropertySpecification(
        name: name, blurb: blurb, kind: .flag, initial: value, isDeprecated: true),
      read: { _ in value }, write: { _, _ in })
  }

  /// A string; an empty one stands for the default.
  package static func text(
    _ name: String, _ path: WritableKeyPath<Settings, String> & Sendable, nick: String? = nil,
    access: PropertySpecification.Access = .playing, _ blurb: String
  ) -> Self {
    Self(name, path, nick: nick, blurb, .text, access: access) {
      .text($0)
    } value: {
      $0.text ?? Settings()[keyPath: path]
    }
  }

  /// An optional string; an empty one stands for nil.
  package static func text(
    _ name: String, _ path: WritableKeyPath<Settings, String?> & Sendable, nick: String? = nil,
    _ blurb: String
  ) -> Self {
    Self(name, path, nick: nick, blurb, .text) {
      .text($0)
    } value: {
      .some($0.text)
    }
  }

  /// A string that is parsed on the thread that sets it; an empty one stands for the default.
  package static func text<Reading: PropertyReading>(
    _ name: String, _ path: WritableKeyPath<Settings, Reading> & Sendable, nick: String? = nil,
    _ blurb: String
  ) -> Self {
    Self(name, path, nick: nick, blurb, .text) {
      .text($0.text)
    } value: {
      $0.text.map { Reading($0) } ?? Settings()[keyPath: path]
    }
  }

  /// One of the cases of an enumeration.
  package static func choice<Choice: PropertyChoice>(
    _ name: String, _ path: WritableKeyPath<Settings, Choice> & Sendable, nick: String? = nil,
    _ blurb: String
  ) -> Self {
    let values = Choice.choices.map(\.value)
    let enumeration = EnumSpecification(
      typeName: Choice.typeName, values: Choice.choices.map { ($0.nick, $0.blurb) })
    return Self(name, path, nick: nick, blurb, .choice(enumeration)) {
      // Every case is among the choices.
      .choice(values.firstIndex(of: $0) ?? 0)
    } value: {
      if case .choice(let index) = $0, values.indices.contains(index) { values[index] } else { nil }
    }
  }
}

extension Comparable {
  fileprivate func limited(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}

extension PropertyValue {
  /// The text; nil when it is empty or missing.
  fileprivate var text: String? {
    if case .text(let text?) = self, !text.isEmpty { text } else { nil }
  }
}
