import CGStreamer
import GstElementSupport

/// The result of an analysis, in a form that can be posted as a message.
public protocol AnalysisResult: Sendable {
  /// The fields of the message, by name.
  ///
  /// Names consist of letters, digits, `-` and `_`.
  var fields: [String: FieldValue] { get }
}

/// The value of a field of a message.
public indirect enum FieldValue: Equatable, Sendable {
  /// A fractional number: a double.
  case number(Double)
  /// A whole number: an int, or an int64 if it needs more than 32 bits.
  case integer(Int)
  /// A boolean.
  case flag(Bool)
  /// A string.
  case text(String)
  /// A GstValueArray of doubles.
  case numbers([Double])
  /// A GstValueArray of int64.
  case integers([Int])
  /// A GstValueArray of strings.
  case texts([String])
  /// A GstValueArray of GstStructures.
  case list([[String: FieldValue]])
  /// A GstStructure.
  case fields([String: FieldValue])
}

extension StructureBuilder {
  /// Sets several fields, in the order of their names.
  func set(_ fields: [String: FieldValue]) {
    for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
      var value = Self.value(of: field)
      set(name, taking: &value)
    }
  }

  /// Returns the value of a field, which the caller owns.
  private static func value(of field: FieldValue) -> GValue {
    switch field {
    case .number(let number):
      unsafe value(cgst_type_double()) { unsafe g_value_set_double($0, number) }
    case .integer(let number):
      if let small = gint(exactly: number) {
        unsafe value(cgst_type_int()) { unsafe g_value_set_int($0, small) }
      } else {
        large(number)
      }
    case .flag(let flag):
      unsafe value(cgst_type_boolean()) { unsafe g_value_set_boolean($0, flag ? 1 : 0) }
    case .text(let text):
      unsafe value(cgst_type_string()) { unsafe g_value_set_string($0, text) }
    case .numbers(let numbers): array(numbers.map { value(of: .number($0)) })
    case .integers(let numbers): array(numbers.map(large))
    case .texts(let texts): array(texts.map { value(of: .text($0)) })
    case .list(let list): array(list.map { value(of: .fields($0)) })
    case .fields(let fields):
      unsafe value(cgst_type_structure()) { value in
        let nested = StructureBuilder("fields")
        nested.set(fields)
        unsafe g_value_take_boxed(value, nested.take())
      }
    }
  }

  private static func large(_ number: Int) -> GValue {
    unsafe value(cgst_type_int64()) { unsafe g_value_set_int64($0, gint64(number)) }
  }

  /// Returns an array, which takes ownership of its items.
  private static func array(_ items: [GValue]) -> GValue {
    unsafe value(cgst_type_array()) { array in
      for var item in items { unsafe gst_value_array_append_and_take_value(array, &item) }
    }
  }
}
