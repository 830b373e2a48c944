import CGStreamer

/// Makes a GstStructure field by field.
///
/// Used on one thread.
@safe package final class StructureBuilder {
  // Owned until `take`, which sets it to nil.
  private var structure: UnsafeMutablePointer<GstStructure>?

  /// Makes an empty structure.
  ///
  /// `name` is a letter followed by letters, digits, '-' and '_'.
  package init(_ name: String) {
    unsafe structure = gst_structure_new_empty(name)
  }

  deinit {
    if let structure = unsafe structure { unsafe gst_structure_free(structure) }
  }

  /// Passes the structure and its ownership to the caller.
  package func take() -> UnsafeMutablePointer<GstStructure>? {
    defer { unsafe structure = nil }
    return unsafe structure
  }

  /// Sets a field to a GValue, and takes ownership of its contents.
  ///
  /// A field without a name is omitted.
  package func set(_ name: String, taking value: inout GValue) {
    guard let structure = unsafe structure, !name.isEmpty else {
      unsafe g_value_unset(&value)
      return
    }
    unsafe gst_structure_take_value(structure, name, &value)
  }

  package func set(_ name: String, to number: UInt64) {
    unsafe set(name, cgst_type_uint64()) { unsafe g_value_set_uint64($0, guint64(number)) }
  }

  package func set(_ name: String, to number: Double) {
    unsafe set(name, cgst_type_double()) { unsafe g_value_set_double($0, number) }
  }

  package func set(_ name: String, to flag: Bool) {
    unsafe set(name, cgst_type_boolean()) { unsafe g_value_set_boolean($0, flag ? 1 : 0) }
  }

  package func set(_ name: String, to text: String) {
    unsafe set(name, cgst_type_string()) { unsafe g_value_set_string($0, text) }
  }

  private func set(
    _ name: String, _ type: GType, _ fill: (UnsafeMutablePointer<GValue>) -> Void
  ) {
    var value = GValue()
    _ = unsafe g_value_init(&value, type)
    unsafe fill(&value)
    set(name, taking: &value)
  }
}
