import CGStreamer

/// An error or a warning, with the domain, code and text of its GStreamer message.
package struct ElementFault: Error, Equatable {
  package let domain: GQuark
  package let code: Int32
  /// A sentence that names the cause and the remedy.
  package var text: String
  /// The property value that caused the fault, or nil if no property is at fault.
  package var refusal: Refusal?

  /// A property and its unusable value, as messages show it: without user, password and query.
  package struct Refusal: Equatable, Sendable {
    package let property: String
    package let value: String
  }

  /// Returns a fault of a file, a device or a setting.
  package static func resource(_ code: GstResourceError, _ text: String) -> Self {
    Self(domain: gst_resource_error_quark(), code: Int32(bitPattern: code.rawValue), text: text)
  }

  /// Returns a fault of a stream or one of its frames.
  package static func stream(
    _ text: String, code: GstStreamError = GST_STREAM_ERROR_FAILED
  ) -> Self {
    Self(domain: gst_stream_error_quark(), code: Int32(bitPattern: code.rawValue), text: text)
  }

  /// Returns this fault with the property and the value that caused it.
  package func refusing(_ property: String, _ value: String) -> Self {
    var fault = self
    fault.refusal = Refusal(property: property, value: value)
    return fault
  }
}
