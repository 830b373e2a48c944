import CGStreamer
import GstElementSupport

/// What a type says about its elements, read once.
struct ElementDeclaration: Sendable {
  /// A property and its default.
  struct Property: Sendable {
    let name: String
    let summary: String
    let kind: PropertyKind
    let initial: PropertyValue

    /// The name as GObject writes it, which takes '-' and '_' for the same.
    var canonicalName: String { String(name.map { $0 == "_" ? "-" : $0 }) }
  }

  let id: String
  let name: String
  let summary: String
  let formats: [VideoFrame.Format]
  let properties: [Property]

  /// Reads what a type says.
  init<Element: VideoElement>(of type: Element.Type) {
    let element = Element()
    id = type.id
    name = type.name
    summary = type.summary
    formats = type.formats
    properties = type.properties.map { property in
      Property(
        name: property.name, summary: property.summary, kind: property.kind,
        initial: property.read(element))
    }
  }

  /// Describes an element that no type stands for.
  init(
    id: String, name: String, summary: String, formats: [VideoFrame.Format],
    properties: [Property]
  ) {
    self.id = id
    self.name = name
    self.summary = summary
    self.formats = formats
    self.properties = properties
  }

  /// What is wrong with it, in sentences; empty when an element can be made of it.
  func problems() -> [String] {
    var problems: [String] = []
    if !Self.isName(id) {
      problems.append(
        "the id \"\(id)\" is not a letter followed by letters, digits, '-' and '_'")
    }
    // GStreamer takes no element without them. To C a text ends at its first zero.
    if (name.utf8.first ?? 0) == 0 { problems.append("it has no name") }
    if (summary.utf8.first ?? 0) == 0 { problems.append("it has no summary") }
    if formats.isEmpty { problems.append("it has no formats") }
    var taken: Set = ["active"]
    for property in properties {
      let canonical = property.canonicalName
      if !Self.isName(property.name) {
        problems.append(
          "the property name \"\(property.name)\" is not a letter followed by letters, digits, "
            + "'-' and '_'")
      } else if ElementType.isInherited(canonical) || canonical == "active" {
        problems.append(
          "the property name \"\(property.name)\" is in use: every element has such a property")
      } else if !taken.insert(canonical).inserted {
        problems.append("the property \"\(property.name)\" is declared twice")
      }
      if let problem = property.problem() {
        problems.append("the property \"\(property.name)\" \(problem)")
      }
    }
    return problems
  }

  /// Whether GObject and GStreamer take a name.
  static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy {
      isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}

extension ElementDeclaration.Property {
  /// What is wrong with the limits or the default, as the end of a sentence.
  fileprivate func problem() -> String? {
    switch (kind, initial) {
    case (.number(let limits), .number(let number)):
      guard limits.least.isFinite, limits.greatest.isFinite else { return "has no finite limits" }
      return problem(number, limits)
    case (.integer(let limits), .integer(let number)):
      guard Int32(exactly: limits.least) != nil, Int32(exactly: limits.greatest) != nil else {
        return "has limits of more than 32 bits"
      }
      return problem(number, limits)
    case (.choice(let names), _):
      if names.isEmpty { return "has nothing to choose from" }
      return Set(names).count < names.count || names.contains("")
        ? "has choices without a name of their own" : nil
    default: return nil
    }
  }

  private func problem<Value>(_ value: Value, _ limits: Limits<Value>) -> String? {
    guard limits.least <= limits.greatest else {
      return "has limits in the wrong order: \(limits.least) is more than \(limits.greatest)"
    }
    guard value >= limits.least, value <= limits.greatest else {
      return "has the default \(value), which is not in \(limits.least)...\(limits.greatest)"
    }
    return nil
  }
}
