import GstElementSupport

/// The type and the limits of a property's values.
enum PropertyKind: Sendable {
  case number(Limits<Double>)
  case integer(Limits<Int>)
  case flag
  case text
  /// The names of the values, in the order of their numbers.
  case choice([String])

  /// The kind for GObject.
  ///
  /// The limits have been checked. `typeName` is the name of the element's GType.
  func specification(for property: String, of typeName: String) -> PropertySpecification.Kind {
    switch self {
    case .number(let limits): .number(limits.least...limits.greatest)
    case .integer(let limits):
      .integer(Int32(clamping: limits.least)...Int32(clamping: limits.greatest))
    case .flag: .flag
    case .text: .text
    case .choice(let names):
      .choice(
        EnumSpecification(
          typeName: "\(typeName)+\(property)", values: names.map { ($0, $0) }))
    }
  }

  /// Whether it can be bound to a GstController.
  var isControllable: Bool {
    switch self {
    case .number, .integer: true
    case .flag, .text, .choice: false
    }
  }
}
