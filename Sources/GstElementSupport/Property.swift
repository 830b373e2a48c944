/// A type whose stored properties have their defaults after `init()`.
package protocol DefaultInitializable: SendableMetatype {
  init()
}

/// A Swift enumeration whose cases users choose from by name.
package protocol PropertyChoice: Equatable, Sendable {
  /// The name of the GType.
  static var typeName: String { get }
  /// All cases, in the order of their numbers.
  static var choices: [(value: Self, nick: String, blurb: String)] { get }
}

/// What a text says, read once; the text is kept as it was written.
package protocol PropertyReading: Sendable {
  init(_ text: String)
  var text: String { get }
}

/// A property of elements: what GObject is told of it, and where its value lies in the settings.
///
/// The default is what the settings have after `init()`.
package struct Property<Settings: DefaultInitializable>: Sendable {
  /// Calls a function with the settings, on which nobody else works meanwhile.
  package typealias Lock = (_ body: (inout Settings) -> Void) -> Void

  let specification: PropertySpecification
  let read: @Sendable (Settings) -> PropertyValue
  let write: @Sendable (PropertyValue, Lock) -> Void

  private init(
    _ name: String, nick: String?, _ blurb: String, _ kind: PropertySpecification.Kind,
    access: PropertySpecification.Access = .playing, isControllable: Bool = false,
    read: @escaping @Sendable (Settings) -> PropertyValue,
    write: @escaping @Sendable (PropertyValue, Lock) -> Void
  ) {
    specification = PropertySpecification(
      name: name, nick: nick, blurb: blurb, kind: kind, initial: read(Settings()), access: access,
      isControllable: isControllable)
    self.read = read
    self.write = write
  }

  /// A fractional number, which can be bound to a controller.
  package static func number(
    _ name: String, _ path: WritableKeyPath<Settings, Double> & Sendable,
    in range: ClosedRange<Double>, nick: String? = nil, _ blurb: String
  ) -> Self {
    Self(name, nick: nick, blurb, .number(range), isControllable: true) {
      .number($0[keyPath: path])
    } write: { value, withLock in
      guard case .number(let number) = value else { return }
      // GObject takes a GValue made by hand as it is.
      withLock { $0[keyPath: path] = min(max(number, range.lowerBound), range.upperBound) }
    }
  }

  /// A whole number of at most 32 bits, not negative.
  package static func unsigned<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ path: WritableKeyPath<Settings, Number> & Sendable,
    in range: ClosedRange<UInt32> = 0...UInt32.max, nick: String? = nil,
    access: PropertySpecification.Access = .playing, isControllable: Bool = false, _ blurb: String
  ) -> Self {
    Self(
      name, nick: nick, blurb, .unsigned(range), access: access, isControllable: isControllable
    ) {
      .unsigned(UInt32(clamping: $0[keyPath: path]))
    } write: { value, withLock in
      guard case .unsigned(let number) = value else { return }
      let limited = Number(clamping: min(max(number, range.lowerBound), range.upperBound))
      withLock { $0[keyPath: path] = limited }
    }
  }

  /// Something that is so or is not.
  package static func flag(
    _ name: String, _ path: WritableKeyPath<Settings, Bool> & Sendable, nick: String? = nil,
    _ blurb: String
  ) -> Self {
    Self(name, nick: nick, blurb, .flag) {
      .flag($0[keyPath: path])
    } write: { value, withLock in
      if case .flag(let flag) = value { withLock { $0[keyPath: path] = flag } }
    }
  }

  /// A text; an empty one stands for the default, as a user of a command line would expect.
  package static func text(
    _ name: String, _ path: WritableKeyPath<Settings, String> & Sendable, nick: String? = nil,
    access: PropertySpecification.Access = .playing, _ blurb: String
  ) -> Self {
    Self(name, nick: nick, blurb, .text, access: access) {
      .text($0[keyPath: path])
    } write: { value, withLock in
      let text = value.text ?? Settings()[keyPath: path]
      withLock { $0[keyPath: path] = text }
    }
  }

  /// A text that may be missing; an empty one stands for none.
  package static func text(
    _ name: String, _ path: WritableKeyPath<Settings, String?> & Sendable, nick: String? = nil,
    _ blurb: String
  ) -> Self {
    Self(name, nick: nick, blurb, .text) {
      .text($0[keyPath: path])
    } write: { value, withLock in
      withLock { $0[keyPath: path] = value.text }
    }
  }

  /// A text that is read when it is set, on the thread that sets it; an empty one stands for the
  /// default.
  package static func text<Reading: PropertyReading>(
    _ name: String, _ path: WritableKeyPath<Settings, Reading> & Sendable, nick: String? = nil,
    _ blurb: String
  ) -> Self {
    Self(name, nick: nick, blurb, .text) {
      .text($0[keyPath: path].text)
    } write: { value, withLock in
      // It may take a while.
      let reading = value.text.map { Reading($0) } ?? Settings()[keyPath: path]
      withLock { $0[keyPath: path] = reading }
    }
  }

  /// One of the cases of an enumeration.
  package static func choice<Choice: PropertyChoice>(
    _ name: String, _ path: WritableKeyPath<Settings, Choice> & Sendable, nick: String? = nil,
    _ blurb: String
  ) -> Self {
    let values = Choice.choices.map(\.value)
    let enumeration = EnumSpecification(
      typeName: Choice.typeName,
      values: Choice.choices.map { EnumSpecification.Value(nick: $0.nick, blurb: $0.blurb) })
    return Self(name, nick: nick, blurb, .choice(enumeration)) {
      // Every case is among the choices.
      .choice(values.firstIndex(of: $0[keyPath: path]) ?? 0)
    } write: { value, withLock in
      guard case .choice(let index) = value, values.indices.contains(index) else { return }
      withLock { $0[keyPath: path] = values[index] }
    }
  }
}

extension PropertyValue {
  /// The text; nil when it is empty or missing.
  fileprivate var text: String? {
    if case .text(let text?) = self, !text.isEmpty { text } else { nil }
  }
}
