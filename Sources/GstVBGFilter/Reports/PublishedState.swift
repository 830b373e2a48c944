import GstBackground
import GstElementSupport

/// The values of the read-only properties that show applications the current state.
///
/// The values are also posted in the message `vbgfilter-in-use`.
struct PublishedState: Equatable, Sendable {
  /// The path or URI of the image or video behind the person, as the user wrote it, or nil.
  var background: String?
  /// The network's file, or empty without a network.
  var model = ""
  /// The quality of the network, or empty without a network.
  ///
  /// It is `model` for a file that the user named.
  var quality = ""
  /// The value of `current-keep`, or empty without an effect.
  var keep = ""
  /// Whether a person is in the picture.
  var isPersonPresent = false

  /// The property table, with IDs that follow the ID of `stats`.
  static let table = PropertyTable<PublishedState>(
    properties, defaults: PublishedState(), firstID: Statistics.table.nextID)

  /// The properties, which are also the fields of the message.
  static let properties: [Property<PublishedState>] = [
    text(
      "current-background",
      "The image or video behind the person, without user, password and query. NULL if none is "
        + "shown yet"
    ) { $0.background.map { ShownLocation($0).text } },
    text("current-model", "The file of the network that is in use") { $0.model },
    text(
      "current-quality",
      "The quality of the network that is in use, or \"model\" if the property model names the "
        + "network"
    ) { $0.quality },
    text(
      "current-keep",
      "The mode of keep that is in use, followed by -without-faces if people who touch cannot be "
        + "separated"
    ) { $0.keep },
    Property(
      PropertySpecification(
        "person-present",
        "Whether a person is in the picture. False if no person was seen for a second", .flag,
        access: .never)
    ) { .flag($0.isPersonPresent) },
  ]

  /// Creates a text property that is `NULL` if the value is empty.
  private static func text(
    _ name: String, _ blurb: String, _ value: @escaping @Sendable (Self) -> String?
  ) -> Property<Self> {
    Property(PropertySpecification(name, blurb, .text, access: .never)) { state in
      .text(value(state).flatMap { $0.isEmpty ? nil : $0 })
    }
  }

  /// Creates the structure of the message.
  func makeStructure() -> StructureBuilder {
    let structure = StructureBuilder("vbgfilter-in-use")
    for property in Self.properties {
      switch property.read(self) {
      case .text(let text): structure.set(property.name, to: text ?? "")
      case .flag(let flag): structure.set(property.name, to: flag)
      case .number, .integer, .unsigned, .choice: break
      }
    }
    return structure
  }

  /// Returns the names of the properties that have a different value in `other`.
  func changes(from other: Self) -> [String] {
    Self.properties.filter { $0.read(self) != $0.read(other) }.map(\.name)
  }
}
