import GstElementSupport

/// The property values that users have set for a filter or an analyzer.
struct ElementSettings: Sendable {
  /// The values of the declared properties, in the order of declaration.
  var values: [PropertyValue] = []
  /// The value of `active`.
  var isActive = true
  /// The number of changes of `values`.
  var version = 0
}

extension Property {
  /// The property `active`, which every element has.
  static func active(_ path: WritableKeyPath<Owner, Bool> & Sendable) -> Self {
    .flag("active", path, "false lets the picture through as it is, at no cost")
  }
}

/// The declarations of a filter or analyzer type, which are read once.
struct ElementDeclaration: Sendable {
  let id: String
  let name: String
  let summary: String
  let formats: [VideoFrame.Format]
  /// The settings before a user changes them.
  let defaults: ElementSettings
  /// The GObject properties: `active`, and the declared properties.
  let properties: PropertyTable<ElementSettings>

  /// Reads the declarations of a type.
  init<Element: VideoElement>(of type: Element.Type) {
    let element = Element()
    let declared = type.properties.map(\.property)
    let stored = declared.enumerated().map { index, property in
      Property<ElementSettings>(property.specification) {
        $0.values[index]
      } change: { value in
        return {
          $0.values[index] = value
          $0.version &+= 1
        }
      }
    }
    self.init(
      id: type.id, name: type.name, summary: type.summary, formats: type.formats,
      defaults: ElementSettings(values: declared.map { $0.read(element) }), stored)
  }

  /// Declares an element with the property `active` and other `properties`.
  init(
    id: String, name: String, summary: String, formats: [VideoFrame.Format],
    defaults: ElementSettings = ElementSettings(), _ properties: [Property<ElementSettings>] = []
  ) {
    (self.id, self.name, self.summary, self.formats) = (id, name, summary, formats)
    self.defaults = defaults
    self.properties = PropertyTable([.active(\.isActive)] + properties, defaults: defaults)
  }

  /// Returns the text of a message about a thrown error.
  func complaint(_ error: any Error) -> String { "\(id): \(error)" }

  /// Returns descriptions of the errors in the declaration, or an empty list if there are none.
  func problems() -> [String] {
    var problems: [String] = []
    if !Self.isName(id) {
      problems.append(
        "the id \"\(id)\" must be a letter followed by letters, digits, '-' or '_'")
    }
    // GStreamer refuses elements without a name or summary. A C string ends at its first zero byte.
    if (name.utf8.first ?? 0) == 0 { problems.append("it has no name") }
    if (summary.utf8.first ?? 0) == 0 { problems.append("it has no summary") }
    if formats.isEmpty { problems.append("it has no formats") }
    var taken: Set = ["active"]
    for property in properties.specifications.dropFirst() {
      let canonical = PropertySpecification.canonical(property.name)
      if !Self.isName(property.name) {
        problems.append(
          "the property name \"\(property.name)\" must be a letter followed by letters, digits, "
            + "'-' or '_'")
      } else if ElementType.isInherited(canonical) || canonical == "active" {
        problems.append(
          "the property name \"\(property.name)\" is in use: every element has such a property")
      } else if !taken.insert(canonical).inserted {
        problems.append("the property \"\(property.name)\" is declared twice")
      }
      if let problem = property.problem {
        problems.append("the property \"\(property.name)\" \(problem)")
      }
    }
    return problems
  }

  /// Returns whether GObject and GStreamer accept a name.
  static func isName(_ name: String) -> Bool {
    name.first?.isLetter == true
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  }
}

/// A GType of elements, and the declaration that it was created from.
struct ElementKind: Sendable {
  let declaration: ElementDeclaration
  let type: ElementType
}
