import CGStreamer

/// A path or an address as messages and logs may show it.
///
/// They end up in reports and screenshots, so users, passwords and tokens are left out. Scheme,
/// host, port and path tell which one is meant.
package struct ShownLocation {
  /// The location without what may be secret.
  package let text: String
  /// Whether nothing was left out.
  private let isWhole: Bool

  /// Leaves out what may be secret in a path or URI as the user gave it.
  package init(_ location: String) {
    text = Self.withoutSecrets(location)
    isWhole = text == location
  }

  /// What GStreamer says about the location, behind a colon; empty when it may tell what is left
  /// out.
  ///
  /// GStreamer's words may quote an address, or a part of one that cannot be parsed, and servers
  /// put in words of their own.
  func remark(_ words: String) -> String {
    isWhole && !words.contains("://") ? ": \(words)" : ""
  }

  private static func withoutSecrets(_ location: String) -> String {
    // What stands behind the comma is the picture itself.
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

  /// Whether what looks like a port may be a password with a character in it that ends the host, as
  /// in `user:1/2@host`.
  private static func mayHideUser(_ address: Substring) -> Bool {
    let authority = address.prefix { !"/?#".contains($0) }
    let host = authority.lastIndex(of: "@").map { authority[$0...] } ?? authority
    return host.contains(":") && address[authority.endIndex...].contains("@")
  }
}
