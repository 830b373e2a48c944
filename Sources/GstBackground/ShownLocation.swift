import CGStreamer

/// A path or an address as messages and logs may show it.
///
/// They end up in reports and screenshots, so users, passwords and tokens are removed. Scheme,
/// host, port and path identify the location.
package struct ShownLocation {
  /// The location without parts that may be secret.
  package let text: String
  /// Whether nothing was removed.
  private let isWhole: Bool

  /// Removes parts that may be secret from a path or URI as the user gave it.
  package init(_ location: String) {
    text = Self.withoutSecrets(location)
    isWhole = text == location
  }

  /// Returns GStreamer's remark about the location, after a colon.
  ///
  /// It is empty if the remark may reveal a removed part: GStreamer may quote an address, or a part
  /// of one that cannot be parsed, and servers add words of their own.
  func remark(_ words: String) -> String {
    isWhole && !words.contains("://") ? ": \(words)" : ""
  }

  private static func withoutSecrets(_ location: String) -> String {
    // The text after the comma is the picture itself.
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

  /// Whether an apparent port may be a password.
  ///
  /// The password may contain a character that ends the host, as in `user:1/2@host`.
  private static func mayHideUser(_ address: Substring) -> Bool {
    let authority = address.prefix { !"/?#".contains($0) }
    let host = authority.lastIndex(of: "@").map { authority[$0...] } ?? authority
    return host.contains(":") && address[authority.endIndex...].contains("@")
  }
}
