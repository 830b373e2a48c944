/// The names of the classes to keep in a picture, by default `person`.
public struct Subjects: Equatable, Sendable {
  /// The unique names in lower case, in the order of the list, never empty.
  public let names: [String]

  /// Parses a comma-separated list, which means `person` if it is empty.
  public init(_ list: String = "") {
    var names: [String] = []
    var known: Set<String> = []
    for part in list.split(separator: ",") {
      let name = Self.normal(part)
      if !name.isEmpty, known.insert(name).inserted { names.append(name) }
    }
    self.names = names.isEmpty ? ["person"] : names
  }

  /// Whether only people are kept, as networks without classes do.
  public var isPerson: Bool { names == ["person"] }

  /// Returns a name in lower case without surrounding whitespace, for comparisons.
  public static func normal(_ name: some StringProtocol) -> String {
    let characters = name.lowercased().drop { $0.isWhitespace }
    guard let last = characters.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(characters[...last])
  }
}
