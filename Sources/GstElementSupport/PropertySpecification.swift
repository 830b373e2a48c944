import CGStreamer

/// The specification of a property for GObject.
package struct PropertySpecification: Sendable {
  /// The type and the range of a property's values.
  package enum Kind: Sendable {
    case number(ClosedRange<Double>)
    case integer(ClosedRange<Int32>)
    case unsigned(ClosedRange<UInt32>)
    case flag
    case text
    case choice(EnumSpecification)
    /// A GstStructure, which is made when the property is read.
    case structure
  }

  /// When a property can be set.
  package enum Access: Sendable {
    case playing
    /// The value takes effect when the element starts.
    case ready
    case never
  }

  /// Letters, digits and '-', beginning with a letter.
  package let name: String
  /// The name for users; made of `name` by default.
  let nick: String
  let blurb: String
  let kind: Kind
  /// The default.
  let initial: PropertyValue
  let access: Access
  /// Whether it can be bound to a GstController.
  let isControllable: Bool
  /// Whether it is kept for old applications alone.
  let isDeprecated: Bool

  package init(
    name: String, nick: String? = nil, blurb: String, kind: Kind, initial: PropertyValue,
    access: Access = .playing, isControllable: Bool = false, isDeprecated: Bool = false
  ) {
    self.name = name
    self.nick = nick ?? Self.nick(of: name)
    self.blurb = blurb
    self.kind = kind
    self.initial = initial
    self.access = access
    self.isControllable = isControllable
    self.isDeprecated = isDeprecated
  }

  /// A read-only structure, which is made when the property is read.
  package static func structure(_ name: String, nick: String? = nil, _ blurb: String) -> Self {
    Self(
      name: name, nick: nick, blurb: blurb, kind: .structure, initial: .text(nil), access: .never)
  }

  /// `blur-radius` becomes `Blur radius`.
  private static func nick(of name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst().map { $0 == "-" ? " " : $0 }
  }

  /// A new, floating GParamSpec; nil when the default is not of the property's kind.
  func makeParamSpec() -> UnsafeMutablePointer<GParamSpec>? {
    // A GParamSpec does not copy its strings; interned ones are never freed.
    let (name, nick, blurb) = unsafe (
      g_intern_string(name), g_intern_string(nick), g_intern_string(blurb)
    )
    let flags = flags
    switch (kind, initial) {
    case (.number(let range), .number(let initial)):
      return unsafe g_param_spec_double(
        name, nick, blurb, range.lowerBound, range.upperBound, initial, flags)
    case (.integer(let range), .integer(let initial)):
      return unsafe g_param_spec_int(
        name, nick, blurb, range.lowerBound, range.upperBound, gint(clamping: initial), flags)
    case (.unsigned(let range), .unsigned(let initial)):
      return unsafe g_param_spec_uint(
        name, nick, blurb, range.lowerBound, range.upperBound, initial, flags)
    case (.flag, .flag(let initial)):
      return unsafe g_param_spec_boolean(name, nick, blurb, initial ? 1 : 0, flags)
    case (.text, .text(let initial)):
      return unsafe g_param_spec_string(
        name, nick, blurb, initial.map { unsafe g_intern_string($0) } ?? nil, flags)
    case (.choice(let specification), .choice(let initial)):
      return unsafe g_param_spec_enum(
        name, nick, blurb, specification.type(), gint(clamping: initial), flags)
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
