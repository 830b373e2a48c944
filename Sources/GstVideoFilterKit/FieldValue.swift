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
