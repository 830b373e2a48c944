/// A value that can be written as JSON.
protocol JSONConvertible {
  /// The value as JSON.
  var json: JSON { get }
}

/// A JSON value (RFC 8259), for writing only.
///
/// An object keeps the order of its members.
enum JSON: Equatable {
  case string(String)
  case number(Double)
  case array([JSON])
  case object([Member])

  /// A member of an object.
  struct Member: Equatable {
    var name: String
    var value: JSON
  }

  /// The JSON text, indented by two spaces per level, without a newline at the end.
  var text: String { text(indent: "") }

  private func text(indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .string(let value): return Self.quoted(value)
    case .number(let value): return Self.written(value)
    case .array(let values):
      return Self.block("[", values.map { $0.text(indent: inner) }, "]", indent)
    case .object(let members):
      let lines = members.map { "\(Self.quoted($0.name)): \($0.value.text(indent: inner))" }
      return Self.block("{", lines, "}", indent)
    }
  }

  private static func block(
    _ open: String, _ lines: [String], _ close: String, _ indent: String
  ) -> String {
    if lines.isEmpty { return open + close }
    return "\(open)\n\(indent)  " + lines.joined(separator: ",\n\(indent)  ")
      + "\n\(indent)\(close)"
  }

  /// Returns a number as JSON, or null for infinities and NaN, which JSON lacks.
  private static func written(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    if let whole = Int(exactly: value) { return String(whole) }
    return String(value)
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(members.map { Member(name: $0.0, value: $0.1) })
  }
}
