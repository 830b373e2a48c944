import CGStreamer
import CVideoFilterKit

/// What all elements of one GType have in common.
///
/// Made when the plugin is loaded, never given back, and not changed after its class is set up, so
/// that any thread may read it.
@safe final class ElementKind: @unchecked Sendable {
  /// What an element does with frames.
  enum Role {
    /// Runs one filter or analyzer.
    case single(makeRunner: @Sendable () -> Runner)
    /// Runs those of a list that are chosen.
    case switcher([ElementKind])
  }

  let declaration: ElementDeclaration
  let role: Role
  let typeName: String
  let author: String
  /// Whether elements look at frames that they let through.
  let seesPassthrough: Bool
  // Made by GStreamer, which keeps it for ever.
  let category: UnsafeMutablePointer<GstDebugCategory>
  /// Whether no frame is ever changed.
  private var onlyLooks: Bool {
    if case .single = role { seesPassthrough } else { false }
  }
  /// The element's type, once it is registered.
  private(set) var type: GType = 0

  init(
    _ declaration: ElementDeclaration, role: Role, typeName: String, author: String,
    seesPassthrough: Bool, category: UnsafeMutablePointer<GstDebugCategory>
  ) {
    self.declaration = declaration
    self.role = role
    self.typeName = typeName
    self.author = author
    self.seesPassthrough = seesPassthrough
    unsafe self.category = category
  }

  /// Registers the type; false when its name is in use.
  func registerType() -> Bool {
    guard unsafe g_type_from_name(typeName) == 0 else { return false }
    let hasChildren = if case .switcher = role { true } else { false }
    // The reference is the GType's, which lasts for ever.
    type = unsafe vfk_type_register(
      typeName, Unmanaged.passRetained(self).toOpaque(), seesPassthrough ? 1 : 0,
      hasChildren ? 1 : 0)
    return type != 0
  }

  /// Installs properties, pad templates and description in the class of the type.
  func setUpClass(_ class: OpaquePointer) {
    let elementClass = unsafe vfk_element_class(`class`)
    unsafe gst_element_class_set_metadata(
      elementClass, declaration.name,
      onlyLooks ? "Filter/Analyzer/Video" : "Filter/Effect/Video", declaration.summary, author)
    unsafe addPadTemplate("sink", GST_PAD_SINK, to: elementClass)
    unsafe addPadTemplate("src", GST_PAD_SRC, to: elementClass)
    let objectClass = unsafe vfk_object_class(`class`)
    // Specifications do not copy their strings: they are kept for ever.
    unsafe g_object_class_install_property(
      objectClass, ElementProperty.active,
      g_param_spec_boolean(
        g_intern_string("active"), g_intern_string("Active"),
        g_intern_string("false lets the picture through as it is, at no cost"), 1,
        VFK_PARAM_PLAYING))
    switch role {
    case .single:
      for (index, property) in declaration.properties.enumerated() {
        unsafe g_object_class_install_property(
          objectClass, ElementProperty.first + UInt32(index), makeSpecification(of: property))
      }
    case .switcher:
      unsafe g_object_class_install_property(
        objectClass, ElementProperty.filter,
        g_param_spec_string(
          g_intern_string("filter"), g_intern_string("Filter"),
          g_intern_string(
            "The filter at work, by its id; several, joined by commas, work one after the other; "
              + "empty for none"), g_intern_string(""), VFK_PARAM_PLAYING))
      unsafe g_object_class_install_property(
        objectClass, ElementProperty.filters,
        g_param_spec_boxed(
          g_intern_string("filters"), g_intern_string("Filters"),
          g_intern_string(
            "The filters to choose from: a field for each, named by its id, with the name for "
              + "people"), vfk_type_structure(), VFK_PARAM_READABLE))
      unsafe g_object_class_install_property(
        objectClass, ElementProperty.current,
        g_param_spec_string(
          g_intern_string("current"), g_intern_string("Current"),
          g_intern_string(
            "The ids of the filters that frames go through by now, joined by commas; what filter "
              + "says takes its time if a filter has to be set up"), g_intern_string(""),
          VFK_PARAM_READABLE))
    }
  }

  private func addPadTemplate(
    _ name: String, _ direction: GstPadDirection,
    to elementClass: UnsafeMutablePointer<GstElementClass>
  ) {
    let formats = declaration.formats.map(\.rawValue).joined(separator: ", ")
    let caps = unsafe gst_caps_from_string(
      "video/x-raw, format = (string) { \(formats) }, width = (int) [ 1, 32767 ], "
        + "height = (int) [ 1, 32767 ], framerate = (fraction) [ 0/1, 2147483647/1 ]")
    guard let caps = unsafe caps else { return }
    // The class takes the template over.
    if let template = unsafe gst_pad_template_new(name, direction, GST_PAD_ALWAYS, caps) {
      unsafe gst_element_class_add_pad_template(elementClass, template)
    }
    unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(caps)))
  }

  /// The parameter specification of a property; the class takes it over.
  private func makeSpecification(
    of property: ElementDeclaration.Property
  ) -> UnsafeMutablePointer<GParamSpec>? {
    let name = unsafe g_intern_string(property.canonicalName)
    let summary = unsafe g_intern_string(property.summary)
    switch (property.kind, property.initial) {
    case (.number(let limits), .number(let initial)):
      return unsafe g_param_spec_double(
        name, name, summary, limits.least, limits.greatest, initial, VFK_PARAM_NUMERIC)
    case (.integer(let limits), .integer(let initial)):
      return unsafe g_param_spec_int(
        name, name, summary, gint(clamping: limits.least), gint(clamping: limits.greatest),
        gint(clamping: initial), VFK_PARAM_NUMERIC)
    case (.flag, .flag(let initial)):
      return unsafe g_param_spec_boolean(
        name, name, summary, initial ? 1 : 0, VFK_PARAM_PLAYING)
    case (.choice(let names), .choice(let initial)):
      return unsafe g_param_spec_enum(
        name, name, summary, makeEnum("\(typeName)+\(property.name)", names),
        gint(clamping: initial), VFK_PARAM_PLAYING)
    case (_, .text(let initial)):
      return unsafe g_param_spec_string(
        name, name, summary, g_intern_string(initial), VFK_PARAM_PLAYING)
    default: return nil
    }
  }

  /// Registers an enumeration, whose values are kept for ever, as its type is.
  private func makeEnum(_ name: String, _ names: [String]) -> GType {
    let values = UnsafeMutablePointer<GEnumValue>.allocate(capacity: names.count + 1)
    for (index, name) in names.enumerated() {
      let text = unsafe g_intern_string(name)
      unsafe (values + index).initialize(
        to: GEnumValue(value: gint(clamping: index), value_name: text, value_nick: text))
    }
    unsafe (values + names.count).initialize(
      to: GEnumValue(value: 0, value_name: nil, value_nick: nil))
    let type = unsafe g_enum_register_static(name, values)
    gst_type_mark_as_plugin_api(type, GstPluginAPIFlags(0))
    return type
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
}
