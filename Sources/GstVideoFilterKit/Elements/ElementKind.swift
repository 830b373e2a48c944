import CGstElement
import GstElementSupport

/// A GType of elements, and the declaration that it was created from.
struct ElementKind: Sendable {
  let declaration: ElementDeclaration
  let type: ElementType

  /// Creates the GType for a declaration, without registering the GType.
  ///
  /// - Parameters:
  ///   - declaration: the declaration, which must have no problems.
  ///   - typeName: the name of the GType.
  ///   - author: the author of the plugin.
  ///   - classification: GStreamer's classes of the element, joined by slashes.
  ///   - vfuncs: the vfuncs and interfaces of the type.
  ///   - properties: the properties, in the order of their GObject property IDs.
  ///   - make: creates the object of an element.
  init(
    _ declaration: ElementDeclaration, typeName: String, author: String, classification: String,
    vfuncs: CGstElementFunctions, properties: [PropertySpecification],
    make: @escaping @Sendable (BaseTransform) -> any ElementObject
  ) {
    let formats = declaration.formats.map(\.rawValue).joined(separator: ", ")
    let caps =
      "video/x-raw, format = (string) { \(formats) }, width = (int) [ 1, 32767 ], "
      + "height = (int) [ 1, 32767 ], framerate = (fraction) [ 0/1, 2147483647/1 ]"
    self.declaration = declaration
    type = ElementType(
      name: typeName, description: (declaration.name, classification, declaration.summary),
      author: author, vfuncs: vfuncs,
      caps: (caps, caps), properties: properties, make: make)
  }
}
