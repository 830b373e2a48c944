import CGStreamer

/// An error or a warning, with the domain, code and text of its GStreamer message.
package struct ElementFault: Error, Equatable {
  package let domain: GQuark
  package let code: Int32
  /// A sentence that names the cause and the remedy.
  package let text: String

  private init(domain: GQuark, code: UInt32, text: String) {
    self.domain = domain
    self.code = Int32(bitPattern: code)
    self.text = text
  }

  /// A file, a device or a setting for it cannot be used.
  package static func resource(_ code: GstResourceError, _ text: String) -> Self {
    Self(domain: gst_resource_error_quark(), code: code.rawValue, text: text)
  }

  /// A frame cannot be processed.
  package static func stream(_ text: String) -> Self {
    Self(
      domain: gst_stream_error_quark(), code: GST_STREAM_ERROR_FAILED.rawValue, text: text)
  }
}
