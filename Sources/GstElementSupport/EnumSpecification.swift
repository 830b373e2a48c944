import CGStreamer

/// The specification of an enumeration for GObject.
package struct EnumSpecification: Sendable {
  /// The name of the GType.
  let typeName: String
  /// The names that users write, with descriptions; the number of a value is its index.
  let values: [(nick: String, blurb: String)]

  package init(typeName: String, values: [(nick: String, blurb: String)]) {
    self.typeName = typeName
    self.values = values
  }

  /// The GType, which the first call registers; called on the thread that sets up a class.
  func type() -> GType {
    let known = unsafe g_type_from_name(typeName)
    if known != 0 { return known }
    // Never freed, as the type is.
    let list = UnsafeMutablePointer<GEnumValue>.allocate(capacity: values.count + 1)
    for (index, value) in values.enumerated() {
      unsafe (list + index).initialize(
        to: GEnumValue(
          value: gint(clamping: index), value_name: g_intern_string(value.blurb),
          value_nick: g_intern_string(value.nick)))
    }
    unsafe (list + values.count).initialize(
      to: GEnumValue(value: 0, value_name: nil, value_nick: nil))
    let type = unsafe g_enum_register_static(typeName, list)
    gst_type_mark_as_plugin_api(type, GstPluginAPIFlags(0))
    return type
  }
}
