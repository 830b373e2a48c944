import CGStreamer

/// A path or URI in the form that messages and logs may show.
///
/// Messages and logs are copied to reports and screenshots. So user names, passwords, queries and
/// fragments are removed. Scheme, host, port and path remain, to identify the location.
package struct ShownLocation {
  /// The location without parts that may be secret.
  package let text: String
  /// Whether `text` is the complete location, because it contains no secrets.
  private let isWhole: Bool

  /// Removes the parts that may be secret from a path or URI that the user wrote.
  package init(_ location: String) {
    text = Self.withoutSecrets(location)
    isWhole = text == location
  }

  /// Returns a colon and `words`, a text of GStreamer about the location, without its full stop.
  ///
  /// Returns an empty string if `words` may contain a removed part. GStreamer may quote a URI, or a
  /// part of an invalid URI, and servers add their own text.
  func remark(_ words: String) -> String {
    guard isWhole, !words.contains("://") else { return "" }
    return ": \(words.hasSuffix(".") ? words.dropLast() : words[...])"
  }

  private static func withoutSecrets(_ location: String) -> String {
    // The text after the comma is the encoded picture.
    if location.hasPrefix("data:") { return location.prefix { $0 != "," } + ",***" }
    guard let separator = location.firstRange(of: "://") else { return location }
    let unintelligible = location[..<separator.upperBound] + "***"
    guard !mayHideUser(location[separator.upperBound...]),
      let uri = unsafe g_uri_parse(location, CGST_URI_RELAXED_ENCODED, nil)
    else { return String(unintelligible) }
    defer { unsafe g_uri_unref(uri) }
    if unsafe g_uri_get_userinfo(uri) == nil && g_uri_get_query(uri) == nil
      && g_uri_get_fragment(uri) == nil
    {
      return location
    }
    guard let shown = unsafe g_uri_to_string_partial(uri, CGST_URI_HIDE_SECRETS) else {
      return String(unintelligible)
    }
    defer { unsafe g_free(shown) }
    return unsafe String(cString: shown)
  }

  /// Returns whether the text after the first colon may be a password instead of a port.
  ///
  /// This happens if the password contains a character that ends the host: `user:1/2@host`.
  private static func mayHideUser(_ address: Substring) -> Bool {
    let authority = address.prefix { !"/?#".contains($0) }
    let host = authority.lastIndex(of: "@").map { authority[$0...] } ?? authority
    return host.contains(":") && address[authority.endIndex...].contains("@")
  }
}
