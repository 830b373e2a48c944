import CGStreamer

/// What an element says: messages on the bus for the application, lines in the debug log.
@safe package struct ElementBus {
  // Borrowed: the GObject outlives the Swift object behind it, and so everything that it owns.
  // GStreamer's functions for messages and logs may be called on any thread.
  private let base: BaseTransform
  private let category: DebugCategory

  /// Speaks for an element, which outlives this value, in a category of the debug log.
  package init(_ base: BaseTransform, category: DebugCategory) {
    self.base = base
    self.category = category
  }

  /// Keeps the element beyond its end, until it is released as often.
  package func retainElement() {
    _ = unsafe gst_object_ref(base.gstObject)
  }

  /// Gives back what was retained; nothing of this value can be used after that.
  package func releaseElement() {
    unsafe gst_object_unref(base.gstObject)
  }

  /// Posts an error: the stream cannot go on.
  package func postError(
    _ fault: ElementFault,
    file: StaticString = #fileID, function: StaticString = #function, line: Int32 = #line
  ) {
    log(GST_LEVEL_ERROR, fault.text, file: file, function: function, line: line)
    post(GST_MESSAGE_ERROR, fault, file, function, line)
  }

  /// Posts a warning: something is not as asked, the stream goes on.
  package func postWarning(
    _ fault: ElementFault,
    file: StaticString = #fileID, function: StaticString = #function, line: Int32 = #line
  ) {
    log(GST_LEVEL_WARNING, fault.text, file: file, function: function, line: line)
    post(GST_MESSAGE_WARNING, fault, file, function, line)
  }

  /// Posts a structure, which is taken over, as an element message.
  package func postElementMessage(_ structure: UnsafeMutablePointer<GstStructure>?) {
    guard let structure = unsafe structure else { return }
    unsafe post(gst_message_new_element(base.gstObject, structure))
  }

  /// Posts a message, which is taken over.
  package func post(_ message: UnsafeMutablePointer<GstMessage>?) {
    guard let message = unsafe message else { return }
    unsafe gst_element_post_message(base.element, message)
  }

  /// Tells those who watch a property that it has changed by itself, on this thread.
  package func notify(_ property: String) {
    unsafe g_object_notify(base.gObject, property)
  }

  /// Writes a line into the debug log.
  package func log(
    _ level: GstDebugLevel, _ message: @autoclosure () -> String,
    file: StaticString = #fileID, function: StaticString = #function, line: Int32 = #line
  ) {
    guard category.wants(level) else { return }
    unsafe gst_debug_log_literal(
      category.pointer, level, characters(of: file), characters(of: function), line, base.gObject,
      message())
  }

  private func post(
    _ type: GstMessageType, _ fault: ElementFault, _ file: StaticString, _ function: StaticString,
    _ line: Int32
  ) {
    // The message takes the copy of the text and frees it.
    unsafe gst_element_message_full(
      base.element, type, fault.domain, fault.code, g_strdup(fault.text), nil,
      characters(of: file), characters(of: function), line)
  }

  /// The characters of a string that the compiler put into the program, with a zero at their end.
  private func characters(of string: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
