/// What an analyzer found, in a form that can be sent as a message.
public protocol AnalysisResult: Sendable {
  /// The fields of the message, by their names: letters, digits, `-` and `_`.
  var fields: [String: FieldValue] { get }
}

/// The value of a field of a message.
public indirect enum FieldValue: Equatable, Sendable {
  /// A fractional number: a double.
  case number(Double)
  /// A whole number: an int, or an int64 where 32 bits do not suffice.
  case integer(Int)
  /// Something that is so or is not: a boolean.
  case flag(Bool)
  /// A text: a string.
  case text(String)
  /// Fractional numbers in their order: a GstValueArray of doubles.
  case numbers([Double])
  /// Whole numbers in their order: a GstValueArray of int64.
  case integers([Int])
  /// Texts in their order: a GstValueArray of strings.
  case texts([String])
  /// Several of the kind of `fields`, in their order: a GstValueArray of GstStructures.
  case list([[String: FieldValue]])
  /// Values with names: a GstStructure.
  case fields([String: FieldValue])
}
