import CGStreamer

/// Posts an element's messages on the bus, and writes its lines into the debug log.
@safe package struct ElementBus {
  // Borrowed: the GObject outlives the Swift object behind it, and so everything that it owns.
  // GStreamer's functions for messages and logs may be called on any thread.
  private let base: BaseTransform
  private let category: DebugCategory

  /// Posts and logs for an element, which outlives this value.
  package init(_ base: BaseTransform, category: DebugCategory) {
    self.base = base
    self.category = category
  }

  /// Takes a reference to the element, which `releaseElement` releases.
  package func retainElement() {
    _ = unsafe gst_object_ref(base.gstObject)
  }

  /// Releases a reference.
  ///
  /// If it is the last one, this value must not be used after that.
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

  /// Posts a warning: a request could not be met, but the stream continues.
  package func postWarning(
    _ fault: ElementFault,
    file: StaticString = #fileID, function: StaticString = #function, line: Int32 = #line
  ) {
    log(GST_LEVEL_WARNING, fault.text, file: file, function: function, line: line)
    post(GST_MESSAGE_WARNING, fault, file, function, line)
  }

  /// Posts a structure as an element message, and takes ownership of it.
  package func postElementMessage(_ structure: UnsafeMutablePointer<GstStructure>?) {
    guard let structure = unsafe structure else { return }
    unsafe post(gst_message_new_element(base.gstObject, structure))
  }

  /// Posts a message, and takes ownership of it.
  package func post(_ message: UnsafeMutablePointer<GstMessage>?) {
    guard let message = unsafe message else { return }
    unsafe gst_element_post_message(base.element, message)
  }

  /// Emits `notify` for a property, on the calling thread.
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
    let details = unsafe fault.refusal.flatMap { refusal in
      let builder = StructureBuilder("details")
      builder.set("property", to: refusal.property)
      builder.set("value", to: refusal.value)
      return unsafe builder.take()
    }
    // The message takes ownership of the copy of the text, and of the details.
    unsafe gst_element_message_full_with_details(
      base.element, type, fault.domain, fault.code, g_strdup(fault.text), nil,
      characters(of: file), characters(of: function), line, details)
  }

  /// The characters of a string literal, which end with a zero.
  private func characters(of string: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

/// A category of GStreamer's debug log.
@safe package struct DebugCategory: @unchecked Sendable {
  // Owned by GStreamer, which never frees it and uses it on any thread. It is nil if GStreamer is
  // built without its debug log.
  let pointer: UnsafeMutablePointer<GstDebugCategory>?

  /// Finds the category of a name, or makes it.
  package init(_ name: String, _ description: String) {
    unsafe pointer = _gst_debug_category_new(name, 0, description)
  }

  /// Whether lines of a level are logged.
  func wants(_ level: GstDebugLevel) -> Bool {
    guard let pointer = unsafe pointer else { return false }
    return unsafe cgst_logs(pointer, level) != 0
  }
}
