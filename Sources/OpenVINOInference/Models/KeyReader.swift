import InferenceTypes

/// Reads the values of one section of a description; each error names file, section, key and what
/// is allowed.
struct KeyReader {
  let path: String
  let section: KeyFile.Section

  /// The value of a key, nil without it.
  func text(_ key: String) -> String? { section.values[key] }

  /// Throws unless all keys are among those that are known.
  func expectOnly(_ known: [String]) throws(SegmentationError) {
    for key in section.values.keys.sorted() where !known.contains(key) {
      throw SegmentationError(
        .descriptionInvalid,
        "\(path): [\(section.name)] has the unknown key \(key); allowed are "
          + "\(known.joined(separator: ", ")).")
    }
  }

  /// One of several words; `standard` without the key, an error when there is none.
  func choice<Value>(
    _ key: String, _ choices: [(word: String, value: Value)], standard: Value? = nil
  ) throws(SegmentationError) -> Value {
    let words = choices.map(\.word).joined(separator: ", ")
    guard let text = text(key) else {
      if let standard { return standard }
      throw missing(key, allowed: "one of \(words)")
    }
    guard let choice = choices.first(where: { $0.word == text }) else {
      throw wrong(key, allowed: "one of \(words)")
    }
    return choice.value
  }

  /// Whole numbers joined by commas, each within a range; nil without the key.
  func integers(
    _ key: String, in range: ClosedRange<Int>, allowed: String
  ) throws(SegmentationError) -> [Int]? {
    guard let text = text(key) else { return nil }
    let numbers = parts(text, ",").map { Int($0) }
    let found = numbers.compactMap { $0 }
    guard found.count == numbers.count, found.allSatisfy(range.contains) else {
      throw wrong(key, allowed: allowed)
    }
    return found
  }

  /// Three numbers for three channels, or one for all of them; nil without the key.
  func numbers(_ key: String, allowed: String) throws(SegmentationError) -> [Float]? {
    guard let text = text(key) else { return nil }
    guard let found = numbers(in: text, separator: ","), found.count == 1 || found.count == 3 else {
      throw wrong(key, allowed: allowed)
    }
    return found.count == 3 ? found : [found[0], found[0], found[0]]
  }

  /// The numbers in a text; nil when there is anything else, or a number beyond all reason.
  func numbers(in text: some StringProtocol, separator: Character) -> [Float]? {
    let numbers = parts(text, separator).map { Float($0) }
    let found = numbers.compactMap { $0 }.filter { abs($0) <= 1e6 }
    return found.count == numbers.count ? found : nil
  }

  /// What stands between separators, without the space around it.
  func parts(_ text: some StringProtocol, _ separator: Character) -> [String] {
    text.split(separator: separator, omittingEmptySubsequences: false).map {
      String(KeyFile.trimmed(Substring($0)))
    }
  }

  /// The error for a key that is not there.
  func missing(_ key: String, allowed: String) -> SegmentationError {
    SegmentationError(
      .descriptionInvalid,
      "\(path): [\(section.name)] has no key \(key); expected \(allowed).")
  }

  /// The error for a value that is not allowed.
  func wrong(_ key: String, allowed: String) -> SegmentationError {
    let value = text(key) ?? ""
    return SegmentationError(
      .descriptionInvalid,
      "\(path): [\(section.name)] \(key)=\(value.prefix(80)) is wrong; expected \(allowed).")
  }
}
