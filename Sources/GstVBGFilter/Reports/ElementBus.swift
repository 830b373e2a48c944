import CGStreamer
import CVBGFilter

/// What the element says: messages on the bus for the application, lines in the debug log.
@safe struct ElementBus {
  // Borrowed: the GObject outlives the Swift object behind it, and so everything that it owns.
  // GStreamer's functions for messages and logs may be called on any thread.
  private let filter: OpaquePointer

  /// Speaks for an element, which outlives this value.
  init(filter: OpaquePointer) {
    unsafe self.filter = filter
  }

  /// Posts an error: the stream cannot go on.
  func postError(
    _ fault: ElementFault,
    file: StaticString = #fileID, function: StaticString = #function, line: Int32 = #line
  ) {
    log(GST_LEVEL_ERROR, fault.text, file: file, function: function, line: line)
    post(GST_MESSAGE_ERROR, fault, file, function, line)
  }

  /// Posts a warning: something is not as asked, the stream goes on.
  func postWarning(
    _ fault: ElementFault,
    file: StaticString = #fileID, function: StaticString = #function, line: Int32 = #line
  ) {
    log(GST_LEVEL_WARNING, fault.text, file: file, function: function, line: line)
    post(GST_MESSAGE_WARNING, fault, file, function, line)
  }

  /// Posts a structure, which is taken over, as an element message.
  func postElementMessage(_ structure: UnsafeMutablePointer<GstStructure>?) {
    guard let structure = unsafe structure else { return }
    unsafe gst_element_post_message(
      vbg_filter_element(filter),
      gst_message_new_element(
        UnsafeMutableRawPointer(filter).assumingMemoryBound(to: GstObject.self), structure))
  }

  /// Posts a message, which is taken over.
  func post(_ message: UnsafeMutablePointer<GstMessage>?) {
    guard let message = unsafe message else { return }
    unsafe gst_element_post_message(vbg_filter_element(filter), message)
  }

  /// Writes a line into the debug log of the category `vbgfilter`.
  func log(
    _ level: GstDebugLevel, _ message: @autoclosure () -> String,
    file: StaticString = #fileID, function: StaticString = #function, line: Int32 = #line
  ) {
    guard vbg_filter_logs(level) != 0 else { return }
    unsafe vbg_filter_log(
      filter, level, characters(of: file), characters(of: function), line, message())
  }

  private func post(
    _ type: GstMessageType, _ fault: ElementFault, _ file: StaticString, _ function: StaticString,
    _ line: Int32
  ) {
    // The message takes the copy of the text and frees it.
    unsafe gst_element_message_full(
      vbg_filter_element(filter), type, fault.domain, fault.code, g_strdup(fault.text), nil,
      characters(of: file), characters(of: function), line)
  }

  /// The characters of a string that the compiler put into the program, with a zero at their end.
  private func characters(of string: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
