import CGStreamer

/// Posts messages of an element on its bus, and writes to the debug log.
@safe package struct ElementBus {
  // Borrowed: the GObject outlives its Swift object and everything that the Swift object owns.
  // GStreamer's functions for messages and logs may be called on any thread.
  private let base: BaseTransform
  private let category: DebugCategory

  /// Creates a value that posts and logs for an element.
  ///
  /// The element must outlive it.
  package init(_ base: BaseTransform, category: DebugCategory) {
    self.base = base
    self.category = category
  }

  /// Takes a reference to the element, to be released with `releaseElement`.
  package func retainElement() {
    _ = unsafe gst_object_ref(base.gstObject)
  }

  /// Releases a reference that `retainElement` took.
  ///
  /// Do not use this value after that, unless another reference keeps the element alive.
  package func releaseElement() {
    unsafe gst_object_unref(base.gstObject)
  }

  /// Posts an error, after which the stream cannot continue.
  package func postError(
    _ fault: ElementFault,
    file: StaticString = #fileID, function: StaticString = #function, line: Int32 = #line
  ) {
    log(GST_LEVEL_ERROR, fault.text, file: file, function: function, line: line)
    post(GST_MESSAGE_ERROR, fault, file, function, line)
  }

  /// Posts a warning, after which the stream continues.
  package func postWarning(
    _ fault: ElementFault,
    file: StaticString = #fileID, function: StaticString = #function, line: Int32 = #line
  ) {
    log(GST_LEVEL_WARNING, fault.text, file: file, function: function, line: line)
    post(GST_MESSAGE_WARNING, fault, file, function, line)
  }

  /// Posts an element message with a structure, and takes ownership of the structure.
  ///
  /// Does nothing for nil.
  package func postElementMessage(_ structure: UnsafeMutablePointer<GstStructure>?) {
    guard let structure = unsafe structure else { return }
    unsafe post(gst_message_new_element(base.gstObject, structure))
  }

  /// Posts a message, and takes ownership of it.
  ///
  /// Does nothing for nil.
  package func post(_ message: UnsafeMutablePointer<GstMessage>?) {
    guard let message = unsafe message else { return }
    unsafe gst_element_post_message(base.element, message)
  }

  /// Emits the signal `notify` for the property with this name, on the calling thread.
  package func notify(_ property: String) {
    unsafe g_object_notify(base.gObject, property)
  }

  /// Writes a line to the debug log, if the log accepts `level`.
  package func log(
    _ level: GstDebugLevel, _ message: @autoclosure () -> String,
    file: StaticString = #fileID, function: StaticString = #function, line: Int32 = #line
  ) {
    guard let category = unsafe category.pointer, unsafe cgst_logs(category, level) != 0 else {
      return
    }
    unsafe gst_debug_log_literal(
      category, level, characters(of: file), characters(of: function), line, base.gObject,
      message())
  }

  private func post(
    _ type: GstMessageType, _ fault: ElementFault, _ file: StaticString, _ function: StaticString,
    _ line: Int32
  ) {
    let details = unsafe fault.refusal.flatMap { refusal in
      let builder = StructureBuilder("details")
      builder.set("property", to: refusal.property)
      builder.set("value", to: refusal.value)
      return unsafe builder.take()
    }
    // The message takes ownership of `details` and of the copied text.
    unsafe gst_element_message_full_with_details(
      base.element, type, fault.domain, fault.code, g_strdup(fault.text), nil,
      characters(of: file), characters(of: function), line, details)
  }

  /// Returns a string literal as a C string.
  private func characters(of string: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

/// A category of GStreamer's debug log.
@safe public struct DebugCategory: @unchecked Sendable {
  // GStreamer owns the category, never frees it, and uses it on any thread. Nil if GStreamer was
  // built without its debug log.
  let pointer: UnsafeMutablePointer<GstDebugCategory>?

  /// Looks up the category with this name, or creates it.
  package init(_ name: String, _ description: String) {
    unsafe pointer = _gst_debug_category_new(name, 0, description)
  }
}
