import GstElementSupport

/// The declaration of a property, with its default.
struct PropertyDeclaration: Sendable {
  let name: String
  let summary: String
  let kind: PropertyKind
  let initial: PropertyValue

  /// The name as GObject writes it, for which '-' and '_' are the same.
  var canonicalName: String { String(name.map { $0 == "_" ? "-" : $0 }) }

  /// The specification for GObject; `typeName` is the name of the element's GType.
  func specification(of typeName: String) -> PropertySpecification {
    PropertySpecification(
      name: canonicalName, nick: canonicalName, blurb: summary,
      kind: kind.specification(for: name, of: typeName), initial: initial,
      isControllable: kind.isControllable)
  }

  /// The error in the limits or the default, as the end of a sentence; nil when there is none.
  func problem() -> String? {
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
