/// A Swift enumeration of the values of a property.
package protocol PropertyChoice: Equatable, Sendable {
  /// The name of the GType.
  static var typeName: String { get }
  /// All cases, in the order of their GObject values.
  static var choices: [(value: Self, nick: String, blurb: String)] { get }
}

/// A value that users set as a string, or `nil` for no string.
package protocol PropertyText: Sendable {
  init(propertyText: String?)
  var propertyText: String? { get }
}

extension String: PropertyText {
  package init(propertyText: String?) { self = propertyText ?? "" }
  package var propertyText: String? { self }
}

extension String?: PropertyText {
  package init(propertyText: String?) { self = propertyText }
  package var propertyText: String? { self }
}

/// A property of an element: its specification, and functions that get and set it in an `Owner`.
package struct Property<Owner>: Sendable {
  /// The specification, without the default, which `PropertyTable` adds.
  package let specification: PropertySpecification
  /// Returns the value, or `.text(nil)` for a structure.
  package let read: @Sendable (Owner) -> PropertyValue
  /// Returns the function that sets a value, or `nil` if the value is not allowed.
  ///
  /// Parsing happens here, before the caller takes a lock to call the returned function.
  package let change: @Sendable (PropertyValue) -> ((inout Owner) -> Void)?
  /// Whether an empty string selects the default.
  let emptyIsDefault: Bool
  /// Builds the value of a structure, or `nil` for all other kinds.
  let makeStructure: (@Sendable (Owner) -> StructureBuilder)?

  /// Creates a property with functions that get and set it.
  ///
  /// By default `change` allows no value.
  package init(
    _ specification: PropertySpecification, emptyIsDefault: Bool = false,
    read: @escaping @Sendable (Owner) -> PropertyValue = { _ in .text(nil) },
    change: @escaping @Sendable (PropertyValue) -> ((inout Owner) -> Void)? = { _ in nil },
    makeStructure: (@Sendable (Owner) -> StructureBuilder)? = nil
  ) {
    self.specification = specification
    self.emptyIsDefault = emptyIsDefault
    self.makeStructure = makeStructure
    self.read = read
    self.change = change
  }

  /// Creates a property for the value at a key path.
  ///
  /// `shown` converts that value for GObject. `value` converts a value from GObject, and returns
  /// `nil` if the property does not allow it.
  private init<Value>(
    _ specification: PropertySpecification, _ path: WritableKeyPath<Owner, Value> & Sendable,
    emptyIsDefault: Bool = false, shown: @escaping @Sendable (Value) -> PropertyValue,
    value: @escaping @Sendable (PropertyValue) -> Value?
  ) {
    self.init(specification, emptyIsDefault: emptyIsDefault) {
      shown($0[keyPath: path])
    } change: { taken in
      guard let value = value(taken) else { return nil }
      return { $0[keyPath: path] = value }
    }
  }

  /// The name as declared, not in GObject's canonical form.
  package var name: String { specification.name }

  /// Returns a property for a floating-point number, which a GstControlBinding can control.
  package static func number(
    _ name: String, _ path: WritableKeyPath<Owner, Double> & Sendable,
    limits: (min: Double, max: Double), nick: String? = nil, _ blurb: String
  ) -> Self {
    let kind = PropertySpecification.Kind.number(limits.min, limits.max)
    return Self(
      PropertySpecification(name, nick: nick, blurb, kind, isControllable: true), path,
      shown: PropertyValue.number
    ) {
      // Callers other than GObject may pass a number outside the limits.
      guard case .number(let number) = $0 else { return nil }
      return min(max(number, limits.min), limits.max)
    }
  }

  /// Returns a property for a 32-bit signed integer, which a GstControlBinding can control.
  package static func integer(
    _ name: String, _ path: WritableKeyPath<Owner, Int> & Sendable,
    limits: (min: Int, max: Int), nick: String? = nil, _ blurb: String
  ) -> Self {
    let kind = PropertySpecification.Kind.integer(limits.min, limits.max)
    return Self(
      PropertySpecification(name, nick: nick, blurb, kind, isControllable: true), path,
      shown: PropertyValue.integer
    ) {
      guard case .integer(let number) = $0 else { return nil }
      return min(max(number, limits.min), limits.max)
    }
  }

  /// Returns a property for a 32-bit unsigned integer.
  package static func unsigned<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ path: WritableKeyPath<Owner, Number> & Sendable,
    in range: ClosedRange<UInt32> = 0...UInt32.max, nick: String? = nil,
    access: PropertySpecification.Access = .playing, isControllable: Bool = false, _ blurb: String
  ) -> Self {
    Self(
      PropertySpecification(
        name, nick: nick, blurb, .unsigned(range), access: access, isControllable: isControllable),
      path
    ) {
      .unsigned(UInt32(clamping: $0))
    } value: {
      guard case .unsigned(let number) = $0 else { return nil }
      return Number(clamping: min(max(number, range.lowerBound), range.upperBound))
    }
  }

  /// Returns a property for a boolean.
  package static func flag(
    _ name: String, _ path: WritableKeyPath<Owner, Bool> & Sendable, nick: String? = nil,
    _ blurb: String
  ) -> Self {
    Self(PropertySpecification(name, nick: nick, blurb, .flag), path, shown: PropertyValue.flag) {
      if case .flag(let flag) = $0 { flag } else { nil }
    }
  }

  /// Returns a property for a string, which is parsed on the thread that sets it.
  ///
  /// With `emptyIsDefault`, an empty string selects the default.
  package static func text<Text: PropertyText>(
    _ name: String, _ path: WritableKeyPath<Owner, Text> & Sendable, nick: String? = nil,
    access: PropertySpecification.Access = .playing, emptyIsDefault: Bool = true, _ blurb: String
  ) -> Self {
    Self(
      PropertySpecification(name, nick: nick, blurb, .text, access: access), path,
      emptyIsDefault: emptyIsDefault
    ) {
      .text($0.propertyText)
    } value: {
      if case .text(let text) = $0 { Text(propertyText: text) } else { nil }
    }
  }

  /// Returns a property for a Swift enumeration.
  package static func choice<Choice: PropertyChoice>(
    _ name: String, _ path: WritableKeyPath<Owner, Choice> & Sendable, nick: String? = nil,
    _ blurb: String
  ) -> Self {
    let values = Choice.choices.map(\.value)
    let enumeration = EnumSpecification(
      typeName: Choice.typeName, values: Choice.choices.map { ($0.nick, $0.blurb) })
    return Self(PropertySpecification(name, nick: nick, blurb, .choice(enumeration)), path) {
      // Every case is among the choices.
      .choice(values.firstIndex(of: $0) ?? 0)
    } value: {
      if case .choice(let index) = $0, values.indices.contains(index) { values[index] } else { nil }
    }
  }

  /// Returns a read-only property for a structure, which `make` builds on each read.
  package static func structure(
    _ name: String, nick: String? = nil, _ blurb: String,
    _ make: @escaping @Sendable (Owner) -> StructureBuilder
  ) -> Self {
    Self(
      PropertySpecification(name, nick: nick, blurb, .structure, access: .never),
      makeStructure: make)
  }
}
