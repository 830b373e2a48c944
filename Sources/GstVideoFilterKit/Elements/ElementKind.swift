import CGStreamer
import GstElementSupport

/// What all elements of one GType have in common.
struct ElementKind: Sendable {
  let declaration: ElementDeclaration
  let type: ElementType

  /// Elements that run one filter or analyzer; `onlyLooks` says that it changes no frame.
  init(
    _ declaration: ElementDeclaration, typeName: String, author: String, onlyLooks: Bool,
    category: DebugCategory, makeRunner: @escaping @Sendable () -> Runner
  ) {
    self.init(
      declaration, typeName: typeName, author: author,
      classification: onlyLooks ? "Filter/Analyzer/Video" : "Filter/Effect/Video",
      vfuncs: onlyLooks ? .seesPassthrough : [],
      properties: declaration.properties.map { $0.specification(of: typeName) }
    ) { base in
      SingleElement(base, declaration.id, category, runner: makeRunner())
    }
  }

  /// Elements that run those of a list that are chosen.
  init(
    _ declaration: ElementDeclaration, typeName: String, author: String,
    category: DebugCategory, switchingBetween kinds: [ElementKind]
  ) {
    self.init(
      declaration, typeName: typeName, author: author, classification: "Filter/Effect/Video",
      // Analyzers look at frames that no filter changes.
      vfuncs: [.seesPassthrough, .children],
      properties: [
        PropertySpecification(
          name: "filter",
          blurb: "The filter at work, by its id; several, joined by commas, work one after the "
            + "other; empty for none", kind: .text, initial: .text("")),
        .structure(
          "filters",
          "The filters to choose from: a field for each, named by its id, with the name for "
            + "people"),
        PropertySpecification(
          name: "current",
          blurb: "The ids of the filters that frames go through by now, joined by commas; what "
            + "filter says takes its time if a filter has to be set up", kind: .text,
          initial: .text(""), access: .never),
      ]
    ) { base in
      SwitcherElement(base, declaration.id, category, kinds)
    }
  }

  private init(
    _ declaration: ElementDeclaration, typeName: String, author: String, classification: String,
    vfuncs: ElementType.Vfuncs, properties: [PropertySpecification],
    make: @escaping @Sendable (BaseTransform) -> any ElementObject
  ) {
    let formats = declaration.formats.map(\.rawValue).joined(separator: ", ")
    let caps =
      "video/x-raw, format = (string) { \(formats) }, width = (int) [ 1, 32767 ], "
      + "height = (int) [ 1, 32767 ], framerate = (fraction) [ 0/1, 2147483647/1 ]"
    self.declaration = declaration
    type = ElementType(
      name: typeName, description: (declaration.name, classification, declaration.summary),
      author: author, vfuncs: vfuncs.union([.changeState, .sinkEvent, .transformInPlace]),
      caps: (caps, caps), properties: [ElementProperty.activeSpecification] + properties, make: make
    )
  }
}

extension ElementDeclaration.Property {
  /// What GObject is told of it, for an element's type of a name.
  fileprivate func specification(of typeName: String) -> PropertySpecification {
    PropertySpecification(
      name: canonicalName, nick: canonicalName, blurb: summary,
      kind: kind.specified(for: name, of: typeName), initial: initial,
      isControllable: kind.isControllable)
  }
}

/// The numbers that GObject knows the properties of an element by.
enum ElementProperty {
  static let active: UInt32 = 1
  /// Of an element that runs a list.
  static let filter: UInt32 = 2
  static let filters: UInt32 = 3
  static let current: UInt32 = 4
  /// The first of those that a filter declares.
  static let first: UInt32 = 2

  fileprivate static let activeSpecification = PropertySpecification(
    name: "active", blurb: "false lets the picture through as it is, at no cost", kind: .flag,
    initial: .flag(true))
}
