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
  func postError(_ fault: ElementFault) {
    post(GST_MESSAGE_ERROR, fault)
  }

  /// Posts a warning: something is not as asked, the stream goes on.
  func postWarning(_ fault: ElementFault) {
    post(GST_MESSAGE_WARNING, fault)
  }

  /// Writes a line into the debug log of the category `vbgfilter`.
  func log(
    _ level: GstDebugLevel, _ message: @autoclosure () -> String,
    file: StaticString = #fileID, function: StaticString = #function, line: Int32 = #line
  ) {
    guard vbg_filter_logs(level) != 0 else { return }
    file.withUTF8Buffer { file in
      function.withUTF8Buffer { function in
        // Static strings end in a zero, as C expects it.
        guard let file = file.baseAddress, let function = function.baseAddress else {
          return
        }
        unsafe vbg_filter_log(
          filter, level, UnsafeRawPointer(file).assumingMemoryBound(to: CChar.self),
          UnsafeRawPointer(function).assumingMemoryBound(to: CChar.self), line, message())
      }
    }
  }

  private func post(_ type: GstMessageType, _ fault: ElementFault) {
    log(type == GST_MESSAGE_ERROR ? GST_LEVEL_ERROR : GST_LEVEL_WARNING, fault.text)
    // The message takes the copy of the text and frees it.
    unsafe gst_element_message_full(
      vbg_filter_element(filter), type, fault.domain, fault.code, g_strdup(fault.text), nil,
      "vbgfilter", "", 0)
  }
}
