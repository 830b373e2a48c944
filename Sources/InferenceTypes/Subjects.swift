/// What is kept of a picture, by the names of classes: a person, unless something else is named.
public struct Subjects: Equatable, Sendable {
  /// The names in lower case, each once, in the order in which they were given; never empty.
  public let names: [String]

  /// Reads names that are joined by commas; a person when there is none.
  public init(_ list: String = "") {
    var names: [String] = []
    var known: Set<String> = []
    for part in list.split(separator: ",") {
      let name = Self.normal(part)
      if !name.isEmpty, known.insert(name).inserted { names.append(name) }
    }
    self.names = names.isEmpty ? ["person"] : names
  }

  /// Whether it is what networks without classes keep.
  public var isPerson: Bool { names == ["person"] }

  /// A name as names are compared: in lower case, without space around it.
  public static func normal(_ name: some StringProtocol) -> String {
    let characters = name.lowercased().drop { $0.isWhitespace }
    guard let last = characters.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(characters[...last])
  }
}
