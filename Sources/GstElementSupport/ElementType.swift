import CGStreamer
import CGstElement

/// A GType of elements: its name, metadata, caps, properties, vfuncs and object factory.
///
/// The registered GType owns the `ElementType` and is never unregistered. The thread that loads the
/// plugin creates and registers the `ElementType`, which does not change after that. Any thread may
/// read it.
@safe package final class ElementType: @unchecked Sendable {
  private let name: String
  private let description: (longName: String, classification: String, summary: String)
  private let author: String
  private let vfuncs: CGstElementFunctions
  private let caps: (sink: String, source: String)
  private let properties: [PropertySpecification]
  private let make: @Sendable (BaseTransform) -> ElementObject
  /// The GType, or 0 until it is registered.
  package private(set) var type: GType = 0

  /// Creates a description of a type, which `register` registers.
  ///
  /// Slashes separate the parts of the classification, as in `Filter/Effect/Video`. `vfuncs` also
  /// declares the interfaces. `caps` describe the pad templates. The GObject ID of a property is
  /// its index plus 1. `make` runs on the thread that creates an element.
  package init(
    name: String, description: (longName: String, classification: String, summary: String),
    author: String, vfuncs: CGstElementFunctions, caps: (sink: String, source: String),
    properties: [PropertySpecification],
    make: @escaping @Sendable (BaseTransform) -> ElementObject
  ) {
    self.name = name
    self.description = description
    self.author = author
    self.vfuncs = vfuncs
    self.caps = caps
    self.properties = properties
    self.make = make
  }

  /// Registers the GType, unless it is registered already.
  ///
  /// Returns whether the GType is registered: false if another type has its name, or if GObject
  /// refuses it. Call this on the thread that loads the plugin.
  package func register() -> Bool {
    if type != 0 { return true }
    guard unsafe g_type_from_name(name) == 0 else { return false }
    var functions = vfuncs
    unsafe functions.class_init = { unsafe ElementType.of($0).setUpClass($1) }
    // An element owns its Swift object from `instance_init` to `finalize`, the last call.
    unsafe functions.instance_init = { kind, filter in
      let object = unsafe ElementType.of(kind).make(BaseTransform(filter))
      return unsafe Unmanaged.passRetained(object).toOpaque()
    }
    unsafe functions.finalize = { unsafe Unmanaged<ElementObject>.fromOpaque($0).release() }
    unsafe functions.set_property = { element, id, value, _ in
      unsafe ElementObject.of(element).setProperty(id, to: value)
    }
    unsafe functions.get_property = { element, id, value, _ in
      unsafe ElementObject.of(element).getProperty(id, into: value)
    }
    // The GType owns this reference.
    type = unsafe cgst_element_register(name, Unmanaged.passRetained(self).toOpaque(), &functions)
    return type != 0
  }

  /// Registers an element factory with this name for the type.
  ///
  /// Returns whether GStreamer accepted it.
  package func register(in plugin: OpaquePointer, as name: String) -> Bool {
    unsafe gst_element_register(plugin, name, GST_RANK_NONE.rawValue, type) != 0
  }

  /// Returns whether GstVideoFilter, the parent class, has a property with this name, for example
  /// `qos`.
  package static func isInherited(_ property: String) -> Bool {
    guard let parent = unsafe g_type_class_ref(gst_video_filter_get_type()) else { return false }
    defer { unsafe g_type_class_unref(parent) }
    return unsafe g_object_class_find_property(
      parent.assumingMemoryBound(to: GObjectClass.self), property) != nil
  }

  /// Returns the type that was registered with this argument, which is never freed.
  private static func of(_ kind: UnsafeMutableRawPointer) -> ElementType {
    unsafe Unmanaged<ElementType>.fromOpaque(kind).takeUnretainedValue()
  }

  /// Adds the metadata, pad templates and properties to the class of the type.
  private func setUpClass(_ elementClass: UnsafeMutablePointer<GstElementClass>) {
    unsafe gst_element_class_set_metadata(
      elementClass, description.longName, description.classification, description.summary,
      author)
    unsafe addPadTemplate("sink", GST_PAD_SINK, caps.sink, to: elementClass)
    unsafe addPadTemplate("src", GST_PAD_SRC, caps.source, to: elementClass)
    let objectClass = unsafe UnsafeMutableRawPointer(elementClass).assumingMemoryBound(
      to: GObjectClass.self)
    for (index, property) in properties.enumerated() {
      // The class takes ownership of the specification.
      unsafe g_object_class_install_property(
        objectClass, guint(index + 1), property.makeParamSpec(ofType: name))
    }
  }

  private func addPadTemplate(
    _ name: String, _ direction: GstPadDirection, _ text: String,
    to elementClass: UnsafeMutablePointer<GstElementClass>
  ) {
    guard let caps = unsafe gst_caps_from_string(text) else { return }
    // The class takes ownership of the template.
    if let template = unsafe gst_pad_template_new(name, direction, GST_PAD_ALWAYS, caps) {
      unsafe gst_element_class_add_pad_template(elementClass, template)
    }
    unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(caps)))
  }
}
