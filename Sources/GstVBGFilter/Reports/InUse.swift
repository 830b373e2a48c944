import CGStreamer
import GstBackground
import GstElementSupport

/// What is in use and seen at the moment: the read-only properties that an application shows, and the
/// message `vbgfilter-in-use`.
struct InUse: Equatable, Sendable {
  /// The path or URI of the image or video behind the person, as the user gave it; nil for none.
  var background: String?
  /// The network's file; empty when there is none.
  var model = ""
  /// The quality that the network belongs to, `model` for a file that the user named.
  var quality = ""
  /// Which people are shown, or empty without an effect.
  var keep = ""
  /// Whether a person is in the picture.
  var isPersonPresent = false

  /// The properties, which are the fields of the message too.
  static let properties:
    [(name: String, blurb: String, value: @Sendable (InUse) -> PropertyValue)] = [
      (
        "current-background",
        "The image or video that is behind the person now, without user, password and query; NULL "
          + "when there is none, or while it loads",
        { .text($0.background.map { ShownLocation($0).text }) }
      ),
      (
        "current-model", "The file of the network that is in use",
        { .text($0.model.isEmpty ? nil : $0.model) }
      ),
      (
        "current-quality",
        "The quality of the network that is in use: fast, balanced or accurate, or model for the "
          + "file that the property model names",
        { .text($0.quality.isEmpty ? nil : $0.quality) }
      ),
      (
        "current-keep",
        "Who is shown of several people: the value of keep, with -without-faces behind it if the "
          + "networks that find faces cannot be loaded, so that people who touch are shown together",
        { .text($0.keep.isEmpty ? nil : $0.keep) }
      ),
      (
        "person-present",
        "Whether a person is in the picture; false when nobody was seen for a second",
        { .flag($0.isPersonPresent) }
      ),
    ]

  /// The specifications of the properties, in their order.
  static var specifications: [PropertySpecification] {
    properties.map { property in
      let initial = property.value(InUse())
      let kind: PropertySpecification.Kind = if case .flag = initial { .flag } else { .text }
      return PropertySpecification(
        name: property.name, blurb: property.blurb, kind: kind, initial: initial, access: .never)
    }
  }

  /// Makes the message's structure; the caller owns it.
  func makeStructure() -> UnsafeMutablePointer<GstStructure>? {
    let structure = StructureBuilder("vbgfilter-in-use")
    for property in Self.properties {
      switch property.value(self) {
      case .text(let text): structure.set(property.name, to: text ?? "")
      case .flag(let flag): structure.set(property.name, to: flag)
      case .number, .integer, .unsigned, .choice: break
      }
    }
    return unsafe structure.take()
  }

  /// The names of the properties that differ.
  func changes(from other: InUse) -> [String] {
    Self.properties.filter { $0.value(self) != $0.value(other) }.map(\.name)
  }
}
