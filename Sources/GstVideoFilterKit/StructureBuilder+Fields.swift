import CGStreamer
import GstElementSupport

extension StructureBuilder {
  /// Sets a field to a value.
  func set(_ name: String, to field: FieldValue) {
    var value = GValue()
    unsafe Self.fill(&value, with: field)
    set(name, taking: &value)
  }

  /// Sets several fields, in the order of their names.
  func set(_ fields: [String: FieldValue]) {
    for (name, field) in fields.sorted(by: { $0.key < $1.key }) { set(name, to: field) }
  }

  /// Initializes an empty GValue with the value of a field.
  private static func fill(_ value: UnsafeMutablePointer<GValue>, with field: FieldValue) {
    switch field {
    case .number(let number):
      _ = unsafe g_value_init(value, cgst_type_double())
      unsafe g_value_set_double(value, number)
    case .integer(let number):
      if let small = gint(exactly: number) {
        _ = unsafe g_value_init(value, cgst_type_int())
        unsafe g_value_set_int(value, small)
      } else {
        _ = unsafe g_value_init(value, cgst_type_int64())
        unsafe g_value_set_int64(value, gint64(number))
      }
    case .flag(let flag):
      _ = unsafe g_value_init(value, cgst_type_boolean())
      unsafe g_value_set_boolean(value, flag ? 1 : 0)
    case .text(let text):
      _ = unsafe g_value_init(value, cgst_type_string())
      unsafe g_value_set_string(value, text)
    case .numbers(let numbers): unsafe fillArray(value, with: numbers.map { .number($0) })
    case .integers(let numbers):
      _ = unsafe g_value_init(value, cgst_type_array())
      for number in numbers {
        var item = GValue()
        _ = unsafe g_value_init(&item, cgst_type_int64())
        unsafe g_value_set_int64(&item, gint64(number))
        unsafe gst_value_array_append_and_take_value(value, &item)
      }
    case .texts(let texts): unsafe fillArray(value, with: texts.map { .text($0) })
    case .list(let list): unsafe fillArray(value, with: list.map { .fields($0) })
    case .fields(let fields):
      let nested = StructureBuilder("fields")
      nested.set(fields)
      _ = unsafe g_value_init(value, cgst_type_structure())
      unsafe g_value_take_boxed(value, nested.take())
    }
  }

  /// Initializes an empty GValue with an array of values of one type.
  private static func fillArray(
    _ value: UnsafeMutablePointer<GValue>, with fields: [FieldValue]
  ) {
    _ = unsafe g_value_init(value, cgst_type_array())
    for field in fields {
      var item = GValue()
      unsafe fill(&item, with: field)
      // The array takes ownership of the item.
      unsafe gst_value_array_append_and_take_value(value, &item)
    }
  }
}
