import Matting

/// One section of a description.
///
/// Each error contains the file, the section, the key and the allowed values.
struct KeySection {
  let path: String
  let name: String
  /// The values by their keys.
  var values: [String: String] = [:]

  /// Throws if the section has a key that is not in `known`.
  func expectOnly(_ known: [String]) throws(SegmentationError) {
    for key in values.keys.sorted() where !known.contains(key) {
      throw invalid(
        "has the unknown key \(key); the allowed keys are \(known.joined(separator: ", "))")
    }
  }

  /// Returns the choice that a key selects, or nil if the key is missing.
  func choice<Value>(
    _ key: String, _ choices: [(word: String, value: Value)]
  ) throws(SegmentationError) -> Value? {
    guard let text = values[key] else { return nil }
    if let choice = choices.first(where: { $0.word == text }) { return choice.value }
    throw wrong(key, allowed: "one of \(choices.map(\.word).joined(separator: ", "))")
  }

  /// Returns a list of integers, separated by commas, or nil if the key is missing.
  func integers(
    _ key: String, in range: ClosedRange<Int>, allowed: String
  ) throws(SegmentationError) -> [Int]? {
    guard let text = values[key] else { return nil }
    guard let found = list(text, ",", { Int($0) }), found.allSatisfy(range.contains) else {
      throw wrong(key, allowed: allowed)
    }
    return found
  }

  /// Returns three numbers for three channels, or nil if the key is missing.
  func numbers(_ key: String) throws(SegmentationError) -> [Float]? {
    guard let text = values[key] else { return nil }
    if let found = perChannel(numbers(in: text)) { return found }
    throw wrong(key, allowed: "one number or three joined by commas")
  }

  /// Returns numbers, separated by commas, or nil if a part is not a number or exceeds ±1e6.
  func numbers(in text: String) -> [Float]? {
    list(text, ",") { Float($0).flatMap { abs($0) <= 1e6 ? $0 : nil } }
  }

  /// Returns the values for three channels, of which a single one applies to all three.
  ///
  /// Returns nil for any other number of values.
  func perChannel<Value>(_ values: [Value]?) -> [Value]? {
    guard let values, values.count == 1 || values.count == 3 else { return nil }
    return values.count == 3 ? values : [values[0], values[0], values[0]]
  }

  /// Returns the values of the parts between separators, or nil if a part has no value.
  func list<Value>(
    _ text: String, _ separator: Character, _ value: (String) -> Value?
  ) -> [Value]? {
    let parts = parts(text, separator)
    let values = parts.compactMap(value)
    return values.count == parts.count ? values : nil
  }

  /// Returns the parts between separators, without leading and trailing white space.
  func parts(_ text: String, _ separator: Character) -> [String] {
    text.split(separator: separator, omittingEmptySubsequences: false).map {
      String(Self.trimmed($0))
    }
  }

  /// Returns a text without leading and trailing white space.
  static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...last]
  }

  /// Returns the error for a missing key.
  func missing(_ key: String, allowed: String) -> SegmentationError {
    invalid("has no key \(key); expected \(allowed)")
  }

  /// Returns the error for an invalid value.
  func wrong(_ key: String, allowed: String) -> SegmentationError {
    invalid("\(key)=\((values[key] ?? "").prefix(80)) is invalid; expected \(allowed)")
  }

  private func invalid(_ reason: String) -> SegmentationError {
    SegmentationError(.descriptionInvalid, "\(path): [\(name)] \(reason).")
  }
}
