import GstElementSupport

/// What a property can be set to.
enum PropertyKind: Sendable {
  case number(Limits<Double>)
  case integer(Limits<Int>)
  case flag
  case text
  /// The names of the values, in their order.
  case choice([String])

  /// What GObject is told of it, for an element's type of a name; of limits that were looked at.
  func specified(for property: String, of typeName: String) -> PropertySpecification.Kind {
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

  /// Whether it can be bound to a controller.
  var isControllable: Bool {
    switch self {
    case .number, .integer: true
    case .flag, .text, .choice: false
    }
  }
}
