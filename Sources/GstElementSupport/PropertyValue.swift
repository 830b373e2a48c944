import CGStreamer

/// The value of a property.
package enum PropertyValue: Equatable, Sendable {
  case number(Double)
  case integer(Int)
  case unsigned(UInt32)
  case flag(Bool)
  case text(String?)
  /// The index of a choice.
  case choice(Int)

  /// Replaces the value with the contents of a GValue of the same type.
  ///
  /// Returns true. For NaN, it changes nothing and returns false.
  ///
  /// Safety: `value` must be valid during the call.
  package mutating func take(_ value: UnsafePointer<GValue>) -> Bool {
    switch self {
    case .number:
      let number = unsafe g_value_get_double(value)
      guard !number.isNaN else { return false }
      self = .number(number)
    case .integer: self = unsafe .integer(Int(g_value_get_int(value)))
    case .unsigned: self = unsafe .unsigned(g_value_get_uint(value))
    case .flag: self = unsafe .flag(g_value_get_boolean(value) != 0)
    case .text:
      self = unsafe .text(g_value_get_string(value).map { unsafe String(cString: $0) })
    case .choice: self = unsafe .choice(Int(g_value_get_enum(value)))
    }
    return true
  }

  /// Writes the value into a GValue of the same type.
  ///
  /// Safety: `value` must be valid during the call.
  package func put(into value: UnsafeMutablePointer<GValue>) {
    switch self {
    case .number(let number): unsafe g_value_set_double(value, number)
    case .integer(let number): unsafe g_value_set_int(value, gint(clamping: number))
    case .unsigned(let number): unsafe g_value_set_uint(value, number)
    case .flag(let flag): unsafe g_value_set_boolean(value, flag ? 1 : 0)
    case .text(let text): unsafe g_value_set_string(value, text)
    case .choice(let index): unsafe g_value_set_enum(value, gint(clamping: index))
    }
  }
}
