import CGStreamer

/// A property's name, description, type, limits, default and flags, as GObject needs them.
package struct PropertySpecification: Sendable {
  /// The type and the limits of a property's values.
  package enum Kind: Sendable {
    /// The minimum and the maximum, which may be in the wrong order (see `problem`).
    case number(Double, Double)
    case integer(Int, Int)
    case unsigned(ClosedRange<UInt32>)
    case flag
    case text
    case choice(EnumSpecification)
    /// A GstStructure, which is built each time the property is read.
    case structure
  }

  /// The states in which a property can be set.
  package enum Access: Sendable {
    /// Any state, including PLAYING.
    case playing
    /// NULL and READY: the value takes effect when the element starts.
    case ready
    /// No state: the property is read-only.
    case never
  }

  /// The name: a letter, followed by letters, digits, '-' or '_'.
  package let name: String
  /// The name in user interfaces, derived from `name` by default.
  let nick: String
  let blurb: String
  let kind: Kind
  let access: Access
  /// Whether a GstControlBinding can control the property.
  let isControllable: Bool
  /// Whether the property exists only for compatibility with old applications.
  let isDeprecated: Bool
  /// The default, which `PropertyTable` fills in.
  package internal(set) var initial = PropertyValue.text(nil)

  package init(
    _ name: String, nick: String? = nil, _ blurb: String, _ kind: Kind,
    access: Access = .playing, isControllable: Bool = false, isDeprecated: Bool = false
  ) {
    self.name = name
    // `Blur radius` for `blur-radius`.
    self.nick =
      nick ?? name.prefix(1).uppercased() + name.dropFirst().map { $0 == "-" ? " " : $0 }
    self.blurb = blurb
    self.kind = kind
    self.access = access
    self.isControllable = isControllable
    self.isDeprecated = isDeprecated
  }

  /// Returns a property name in GObject's canonical form, with '-' for '_'.
  package static func canonical(_ name: String) -> String {
    String(name.map { $0 == "_" ? "-" : $0 })
  }

  /// The error in the limits, the choices or the default, or `nil` if they are valid.
  ///
  /// The error is a predicate, such as "has no choices", to follow the property's name.
  package var problem: String? {
    switch (kind, initial) {
    case (.number(let minimum, let maximum), .number(let number)):
      guard minimum.isFinite, maximum.isFinite else { return "has limits that are not finite" }
      return Self.problem(number, minimum, maximum)
    case (.integer(let minimum, let maximum), .integer(let number)):
      guard Int32(exactly: minimum) != nil, Int32(exactly: maximum) != nil else {
        return "has limits that do not fit into 32 bits"
      }
      return Self.problem(number, minimum, maximum)
    case (.choice(let enumeration), _):
      let names = enumeration.values.map(\.nick)
      if names.isEmpty { return "has no choices" }
      return Set(names).count < names.count || names.contains("")
        ? "has choices with empty or equal names" : nil
    default: return nil
    }
  }

  private static func problem<Value: Comparable>(
    _ value: Value, _ minimum: Value, _ maximum: Value
  ) -> String? {
    guard minimum <= maximum else {
      return "has limits in the wrong order: \(minimum) is greater than \(maximum)"
    }
    guard value >= minimum, value <= maximum else {
      return "has the default \(value), which is not in \(minimum)...\(maximum)"
    }
    return nil
  }

  /// Creates a floating GParamSpec for an element type.
  ///
  /// Returns `nil` if the default does not match the property's kind.
  func makeParamSpec(ofType elementType: String) -> UnsafeMutablePointer<GParamSpec>? {
    // A GParamSpec does not copy its strings. Interned strings are never freed.
    let (name, nick, blurb) = unsafe (
      g_intern_string(Self.canonical(name)), g_intern_string(nick), g_intern_string(blurb)
    )
    let flags = flags
    switch (kind, initial) {
    case (.number(let minimum, let maximum), .number(let initial)):
      return unsafe g_param_spec_double(name, nick, blurb, minimum, maximum, initial, flags)
    case (.integer(let minimum, let maximum), .integer(let initial)):
      return unsafe g_param_spec_int(
        name, nick, blurb, gint(clamping: minimum), gint(clamping: maximum),
        gint(clamping: initial), flags)
    case (.unsigned(let range), .unsigned(let initial)):
      return unsafe g_param_spec_uint(
        name, nick, blurb, range.lowerBound, range.upperBound, initial, flags)
    case (.flag, .flag(let initial)):
      return unsafe g_param_spec_boolean(name, nick, blurb, initial ? 1 : 0, flags)
    case (.text, .text(let initial)):
      return unsafe g_param_spec_string(
        name, nick, blurb, initial.map { unsafe g_intern_string($0) } ?? nil, flags)
    case (.choice(let enumeration), .choice(let initial)):
      let type = enumeration.type(orNamed: "\(elementType)+\(self.name)")
      return unsafe g_param_spec_enum(name, nick, blurb, type, gint(clamping: initial), flags)
    case (.structure, _):
      return unsafe g_param_spec_boxed(name, nick, blurb, gst_structure_get_type(), flags)
    default: return nil
    }
  }

  private var flags: GParamFlags {
    var flags = CGST_PARAM_READABLE.rawValue | CGST_PARAM_STATIC_STRINGS.rawValue
    switch access {
    case .playing: flags |= CGST_PARAM_WRITABLE.rawValue | CGST_PARAM_MUTABLE_PLAYING.rawValue
    case .ready: flags |= CGST_PARAM_WRITABLE.rawValue | CGST_PARAM_MUTABLE_READY.rawValue
    case .never: break
    }
    if isControllable { flags |= CGST_PARAM_CONTROLLABLE.rawValue }
    if isDeprecated { flags |= CGST_PARAM_DEPRECATED.rawValue }
    return GParamFlags(rawValue: flags)
  }
}

/// The name and the values of a GObject enumeration.
package struct EnumSpecification: Sendable {
  /// The name of the GType, or `nil` to derive it from the names of the element and the property.
  let typeName: String?
  /// The nicks that users write, with descriptions.
  ///
  /// A nick's index is its GObject value.
  let values: [(nick: String, blurb: String)]

  package init(typeName: String?, values: [(nick: String, blurb: String)]) {
    self.typeName = typeName
    self.values = values
  }

  /// Returns the GType, after registering it if necessary.
  ///
  /// `name` is used if `typeName` is `nil`. Call this on the thread that sets up a class.
  func type(orNamed name: String) -> GType {
    let typeName = typeName ?? name
    let known = unsafe g_type_from_name(typeName)
    if known != 0 { return known }
    // Never freed, because GObject never frees the type.
    let list = UnsafeMutablePointer<GEnumValue>.allocate(capacity: values.count + 1)
    for (index, value) in values.enumerated() {
      unsafe (list + index).initialize(
        to: GEnumValue(
          value: gint(clamping: index), value_name: g_intern_string(value.blurb),
          value_nick: g_intern_string(value.nick)))
    }
    unsafe (list + values.count).initialize(
      to: GEnumValue(value: 0, value_name: nil, value_nick: nil))
    let type = unsafe g_enum_register_static(typeName, list)
    gst_type_mark_as_plugin_api(type, GstPluginAPIFlags(0))
    return type
  }
}
