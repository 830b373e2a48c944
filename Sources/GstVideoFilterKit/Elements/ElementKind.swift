import GstElementSupport

/// A GType of elements and the declaration that it was made of.
struct ElementKind: Sendable {
  let declaration: ElementDeclaration
  let type: ElementType

  /// Describes the GType of a declaration that has no problems.
  ///
  /// - Parameters:
  ///   - declaration: names and formats.
  ///   - typeName: the name of the GType.
  ///   - author: the author of the plugin.
  ///   - classification: classes of GStreamer, joined by slashes.
  ///   - vfuncs: the vfuncs in addition to the ones that `FilterElement` implements.
  ///   - properties: the properties, in the order of their numbers.
  ///   - make: makes the object behind an element.
  init(
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
      author: author,
      vfuncs: vfuncs.union([
        .changeState, .sinkEvent, .beforeTransform, .transformInPlace,
      ]),
      caps: (caps, caps), properties: properties, make: make)
  }
}
