import CGStreamer
import CGstElement
import GstElementSupport

extension Plugin {
  /// Registers an element for each filter and analyzer, and the switcher if there is one.
  ///
  /// An element that cannot be registered is omitted, with a warning that gives the reason. Returns
  /// false if no element was registered.
  func registerElements(in plugin: OpaquePointer) -> Bool {
    guard hasName else { return false }
    // GStreamer may call this more than once, for example after the plugin's file has changed.
    let kinds = self.kinds.withLock { $0 } ?? makeKinds(DebugCategory(name, summary))
    self.kinds.withLock { $0 = kinds }
    var count = 0
    for kind in kinds where unsafe register(kind, in: plugin) { count += 1 }
    return count > 0
  }

  /// Creates the kinds of all elements without errors, and registers their GTypes.
  private func makeKinds(_ category: DebugCategory) -> [ElementKind] {
    var kinds: [ElementKind] = []
    for type in filters {
      let declaration = ElementDeclaration(of: type)
      var problems = declaration.problems()
      // A type that is both is used as a filter.
      let isFilter = type is any VideoFilter.Type
      if !isFilter, !(type is any VideoAnalyzer.Type) {
        problems.append("it is neither a VideoFilter nor a VideoAnalyzer")
      }
      guard problems.isEmpty else {
        warn("\(type) cannot be registered as an element: " + problems.joined(separator: "; "))
        continue
      }
      add(
        declaration, isFilter ? "Filter/Effect/Video" : "Filter/Analyzer/Video",
        FilterElement.vfuncs(seesPassthrough: !isFilter), declaration.properties.specifications,
        to: &kinds
      ) { FilterElement($0, declaration.id, category, Runner(declaration, type)) }
    }
    guard let switcher else { return kinds }
    let formats = VideoFrame.Format.allCases.filter { format in
      kinds.allSatisfy { $0.declaration.formats.contains(format) }
    }
    let declaration = ElementDeclaration(
      id: switcher, name: "Filter switcher",
      summary: "Runs one of several filters, or some of them in turn: \(summary)",
      formats: kinds.isEmpty ? [] : formats)
    var problems = declaration.problems()
    if !kinds.isEmpty, formats.isEmpty {
      problems = ["its filters have no format in common, which switching requires"]
    }
    guard problems.isEmpty else {
      warn("the element \"\(switcher)\" is skipped: " + problems.joined(separator: "; "))
      return kinds
    }
    add(
      declaration, "Filter/Effect/Video", SwitcherElement.vfuncs, SwitcherElement.properties,
      to: &kinds
    ) { [kinds] in SwitcherElement($0, switcher, category, kinds) }
    return kinds
  }

  /// Adds the kind of element for a declaration, and registers its GType.
  ///
  /// Prints a warning if another element of the plugin has its id or if the GType was not
  /// registered.
  private func add(
    _ declaration: ElementDeclaration, _ classification: String, _ vfuncs: CGstElementFunctions,
    _ properties: [PropertySpecification], to kinds: inout [ElementKind],
    make: @escaping @Sendable (BaseTransform) -> ElementObject
  ) {
    let id = declaration.id
    let formats = declaration.formats.map(\.rawValue).joined(separator: ", ")
    let caps =
      "video/x-raw, format = (string) { \(formats) }, width = (int) [ 1, 32767 ], "
      + "height = (int) [ 1, 32767 ], framerate = (fraction) [ 0/1, 2147483647/1 ]"
    let type = ElementType(
      name: typeName(id), description: (declaration.name, classification, declaration.summary),
      author: author, vfuncs: vfuncs, caps: (caps, caps), properties: properties, make: make)
    if kinds.contains(where: { $0.declaration.id == id }) || !type.register() {
      warn("the element \"\(id)\" is skipped: its id is already in use")
    } else {
      kinds.append(ElementKind(declaration: declaration, type: type))
    }
  }

  /// Returns a name for the GType of an element.
  ///
  /// The name is "Gst" and the id, so that GStreamer names the first element of "Gsttint" `tint0`.
  /// All plugins of a process share the names of GTypes. GTypes of C plugins have a capital letter
  /// after "Gst". So an id that begins with a lower-case letter cannot take the name of a C plugin
  /// that is loaded later. If the name is taken, or the id begins with another character, '+' and
  /// the plugin's name are appended. No id contains '+'.
  private func typeName(_ id: String) -> String {
    let name = "Gst\(id)"
    let isFree = unsafe id.first?.isLowercase == true && g_type_from_name(name) == 0
    return isFree ? name : "\(name)+\(self.name)"
  }

  private func register(_ kind: ElementKind, in plugin: OpaquePointer) -> Bool {
    let id = kind.declaration.id
    // If two features have the same name, the order of loading decides which one is used.
    if let other = unsafe gst_registry_lookup_feature(gst_registry_get(), id) {
      defer { unsafe gst_object_unref(UnsafeMutableRawPointer(other)) }
      let owner = unsafe gst_plugin_feature_get_plugin_name(other).map {
        unsafe String(cString: $0)
      }
      if let owner, owner != name {
        warn("the element \"\(id)\" is skipped: the plugin \(owner) has an element with this name")
        return false
      }
    }
    return unsafe kind.type.register(in: plugin, as: id)
  }

  func warn(_ text: String) {
    unsafe cgst_warn("GstVideoFilterKit", "plugin \(name): \(text)")
  }
}
