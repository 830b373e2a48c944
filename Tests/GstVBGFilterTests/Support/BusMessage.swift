import CGStreamer
import Testing

/// An error or a warning that an element posted.
struct BusMessage: Equatable {
  enum Kind: Equatable {
    case error
    case warning
  }

  let kind: Kind
  let domain: GQuark
  let code: Int
  let text: String
  /// The debug text for developers.
  let debug: String
  /// The property with a refused value, and that value.
  ///
  /// It is empty if the message is not about a property.
  let refusal: [String: String]

  /// Whether it is a RESOURCE message with this code.
  func isResource(_ code: GstResourceError) -> Bool {
    domain == gst_resource_error_quark() && self.code == Int(code.rawValue)
  }

  /// Takes all messages off a bus and returns the errors and warnings.
  static func takeAll(from bus: UnsafeMutablePointer<GstBus>) -> [BusMessage] {
    var messages: [BusMessage] = []
    while let message = unsafe gst_bus_pop(bus) {
      if let parsed = unsafe BusMessage(message) { messages.append(parsed) }
      unsafe GStreamer.unrefMini(message)
    }
    return messages
  }

  private init?(_ message: UnsafeMutablePointer<GstMessage>) {
    var error: UnsafeMutablePointer<GError>?
    var details: UnsafeMutablePointer<gchar>?
    var structure: UnsafePointer<GstStructure>?
    defer { unsafe g_free(details) }
    switch unsafe message.pointee.type {
    case GST_MESSAGE_ERROR:
      kind = .error
      unsafe gst_message_parse_error(message, &error, &details)
      unsafe gst_message_parse_error_details(message, &structure)
    case GST_MESSAGE_WARNING:
      kind = .warning
      unsafe gst_message_parse_warning(message, &error, &details)
      unsafe gst_message_parse_warning_details(message, &structure)
    default: return nil
    }
    guard let error = unsafe error else { return nil }
    domain = unsafe error.pointee.domain
    code = unsafe Int(error.pointee.code)
    text = unsafe String(cString: error.pointee.message)
    debug = unsafe details.map { unsafe String(cString: $0) } ?? ""
    unsafe g_error_free(error)
    if let structure = unsafe structure,
      let property = unsafe gst_structure_get_string(structure, "property"),
      let value = unsafe gst_structure_get_string(structure, "value")
    {
      refusal = unsafe [String(cString: property): String(cString: value)]
    } else {
      refusal = [:]
    }
  }
}

extension [BusMessage] {
  /// Expects one message, with all of the texts and, if it is given, a code of RESOURCE.
  func expectOne(
    _ kind: BusMessage.Kind, _ texts: String..., code: GstResourceError? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(map(\.kind) == [kind], "\(self)", sourceLocation: sourceLocation)
    guard let message = first else { return }
    #expect(code.map(message.isResource) ?? true, "\(message)", sourceLocation: sourceLocation)
    for text in texts {
      #expect(message.text.contains(text), "\(message.text)", sourceLocation: sourceLocation)
    }
  }
}
