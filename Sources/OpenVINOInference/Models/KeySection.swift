import InferenceTypes

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
      throw SegmentationError(
        .descriptionInvalid,
        "\(path): [\(name)] has the unknown key \(key); the allowed keys are "
          + "\(known.joined(separator: ", ")).")
    }
  }

  /// Returns the choice that a key selects, or `standard` if the key is missing.
  ///
  /// Throws if the value is not a choice, or if the key is missing and `standard` is nil.
  func choice<Value>(
    _ key: String, _ choices: [(word: String, value: Value)], standard: Value? = nil
  ) throws(SegmentationError) -> Value {
    let words = choices.map(\.word).joined(separator: ", ")
    guard let text = values[key] else {
      if let standard { return standard }
      throw missing(key, allowed: "one of \(words)")
    }
    guard let choice = choices.first(where: { $0.word == text }) else {
      throw wrong(key, allowed: "one of \(words)")
    }
    return choice.value
  }

  /// Returns a list of integers, separated by commas, or nil if the key is missing.
  ///
  /// Throws if one is outside `range`.
  func integers(
    _ key: String, in range: ClosedRange<Int>, allowed: String
  ) throws(SegmentationError) -> [Int]? {
    guard let text = values[key] else { return nil }
    let numbers = parts(text, ",").map { Int($0) }
    let found = numbers.compactMap { $0 }
    guard found.count == numbers.count, found.allSatisfy(range.contains) else {
      throw wrong(key, allowed: allowed)
    }
    return found
  }

  /// Returns three numbers for three channels, or nil if the key is missing.
  ///
  /// A single number applies to all three channels.
  func numbers(_ key: String, allowed: String) throws(SegmentationError) -> [Float]? {
    guard let text = values[key] else { return nil }
    guard let found = numbers(in: text, separator: ","), found.count == 1 || found.count == 3 else {
      throw wrong(key, allowed: allowed)
    }
    return found.count == 3 ? found : [found[0], found[0], found[0]]
  }

  /// Returns the numbers in a text, or nil if a part is not a number or exceeds ±1e6.
  func numbers(in text: some StringProtocol, separator: Character) -> [Float]? {
    let numbers = parts(text, separator).map { Float($0) }
    let found = numbers.compactMap { $0 }.filter { abs($0) <= 1e6 }
    return found.count == numbers.count ? found : nil
  }

  /// Returns the parts between separators, without leading and trailing white space.
  func parts(_ text: some StringProtocol, _ separator: Character) -> [String] {
    text.split(separator: separator, omittingEmptySubsequences: false).map {
      String(Self.trimmed(Substring($0)))
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
    SegmentationError(
      .descriptionInvalid,
      "\(path): [\(name)] has no key \(key); expected \(allowed).")
  }

  /// Returns the error for an invalid value.
  func wrong(_ key: String, allowed: String) -> SegmentationError {
    let value = values[key] ?? ""
    return SegmentationError(
      .descriptionInvalid,
      "\(path): [\(name)] \(key)=\(value.prefix(80)) is invalid; expected \(allowed).")
  }
}
