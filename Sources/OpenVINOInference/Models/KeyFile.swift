import Matting

/// A small text file of sections and keys, in the format of GLib's key files.
///
/// A section is `[section]`, followed by lines of `key=value`. Empty lines and lines that begin
/// with `#` are skipped. White space around keys and values is ignored. Anything else is an error,
/// and so are duplicate sections and keys.
///
/// This parser replaces GLib's GKeyFile for these reasons:
/// - GKeyFile merges sections with equal names, and uses the last of two equal keys.
/// - It drops `key[de]=1`, ends a value at a NUL, and accepts values that are not UTF-8.
/// - It rejects tensor names with brackets, and its errors have no line numbers.
struct KeyFile {
  let path: String
  /// The sections in the order of the file.
  private(set) var sections: [KeySection] = []

  /// The maximum file size in bytes.
  static let limit = 1 << 16

  /// Parses the text of a file.
  ///
  /// Throws `.descriptionInvalid`, with `path` in the message.
  init(_ bytes: [UInt8], path: String) throws(SegmentationError) {
    self.path = path
    guard bytes.count <= Self.limit else {
      throw SegmentationError(
        .descriptionInvalid, "\(path) is too large: at most \(Self.limit) bytes are read.")
    }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw SegmentationError(.descriptionInvalid, "\(path) is not UTF-8 text: save it as UTF-8.")
    }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      func refuse(_ reason: String) -> SegmentationError {
        SegmentationError(
          .descriptionInvalid,
          "\(path), line \(index + 1): \(reason), found \"\(line.prefix(80))\".")
      }
      let content = KeySection.trimmed(line)
      if content.isEmpty || content.hasPrefix("#") { continue }
      if content.hasPrefix("[") {
        guard content.hasSuffix("]"), content.count > 2 else {
          throw refuse("expected a section name in brackets")
        }
        let name = String(content.dropFirst().dropLast())
        if sections.contains(where: { $0.name == name }) { throw refuse("duplicate section") }
        sections.append(KeySection(path: path, name: name))
        continue
      }
      guard let equals = content.firstIndex(of: "="), equals > content.startIndex else {
        throw refuse("expected [section] or key=value")
      }
      guard let last = sections.indices.last else {
        throw refuse("expected a section before the first key")
      }
      let key = String(KeySection.trimmed(content[..<equals]))
      if sections[last].values[key] != nil { throw refuse("duplicate key") }
      sections[last].values[key] =
        String(KeySection.trimmed(content[content.index(after: equals)...]))
    }
  }
}
