import CGStreamer

/// Builds a GstStructure field by field.
///
/// Not thread-safe.
@safe package final class StructureBuilder {
  // The builder owns the structure until `take` passes it on.
  private var structure: UnsafeMutablePointer<GstStructure>?

  /// Creates an empty structure.
  ///
  /// `name` must be a letter followed by letters, digits, '-' or '_'.
  package init(_ name: String) {
    unsafe structure = gst_structure_new_empty(name)
  }

  deinit {
    if let structure = unsafe structure { unsafe gst_structure_free(structure) }
  }

  /// Returns the structure, which the caller then owns, or nil if it was taken before.
  package func take() -> UnsafeMutablePointer<GstStructure>? {
    defer { unsafe structure = nil }
    return unsafe structure
  }

  /// Sets a field to a GValue, and takes ownership of the value's contents.
  ///
  /// Ignores the field if `name` is empty or the structure was taken.
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
    var value = unsafe Self.value(type, fill)
    set(name, taking: &value)
  }

  /// Returns a value of a type, which `fill` sets and the caller owns.
  package static func value(
    _ type: GType, _ fill: (UnsafeMutablePointer<GValue>) -> Void
  ) -> GValue {
    var value = GValue()
    _ = unsafe g_value_init(&value, type)
    unsafe fill(&value)
    return value
  }
}
