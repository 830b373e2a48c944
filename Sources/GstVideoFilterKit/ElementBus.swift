import CGStreamer
import CVideoFilterKit

/// What an element says: messages on the bus for the application, lines in the debug log.
@safe struct ElementBus {
  // Borrowed: the GObject outlives the Swift object behind it, and so everything that it owns.
  // GStreamer's functions for messages and logs may be called on any thread.
  private let element: OpaquePointer
  // Made by GStreamer, which keeps it for ever.
  private let category: UnsafeMutablePointer<GstDebugCategory>

  /// Speaks for an element, which outlives this value.
  init(element: OpaquePointer, category: UnsafeMutablePointer<GstDebugCategory>) {
    unsafe self.element = element
    unsafe self.category = category
  }

  /// Keeps the element beyond its end, until it is released as often.
  func holdElement() {
    _ = unsafe gst_object_ref(vfk_gst_object(element))
  }

  /// Gives back what was held; nothing of this value can be used after that.
  func releaseElement() {
    unsafe gst_object_unref(vfk_gst_object(element))
  }

  /// Posts an error: the stream cannot go on.
  func postError(_ text: String, line: Int32 = #line) {
    log(GST_LEVEL_ERROR, text, line: line)
    unsafe gst_element_message_full(
      vfk_element(element), GST_MESSAGE_ERROR, gst_resource_error_quark(),
      Int32(GST_RESOURCE_ERROR_FAILED.rawValue), g_strdup(text), nil, Self.file, Self.function,
      line)
  }

  /// Posts a warning: something is not as asked, the stream goes on.
  func postWarning(_ text: String, line: Int32 = #line) {
    log(GST_LEVEL_WARNING, text, line: line)
    // The message takes the copy of the text and frees it.
    unsafe gst_element_message_full(
      vfk_element(element), GST_MESSAGE_WARNING, gst_stream_error_quark(),
      Int32(GST_STREAM_ERROR_FAILED.rawValue), g_strdup(text), nil, Self.file, Self.function,
      line)
  }

  /// Posts a structure, which is taken over, as an element message.
  func postElementMessage(_ structure: UnsafeMutablePointer<GstStructure>?) {
    guard let structure = unsafe structure else { return }
    unsafe gst_element_post_message(
      vfk_element(element), gst_message_new_element(vfk_gst_object(element), structure))
  }

  /// Writes a line into the debug log of the plugin's category.
  func log(_ level: GstDebugLevel, _ message: @autoclosure () -> String, line: Int32 = #line) {
    guard unsafe vfk_logs(category, level) != 0 else { return }
    unsafe gst_debug_log_literal(
      category, level, Self.file, Self.function, line,
      UnsafeMutableRawPointer(vfk_gst_object(element)).assumingMemoryBound(to: GObject.self),
      message())
  }

  private static var file: UnsafePointer<CChar> { unsafe characters(of: "GstVideoFilterKit") }
  private static var function: UnsafePointer<CChar> { unsafe characters(of: "element") }

  /// The characters of a string that the compiler put into the program, with a zero at their end.
  private static func characters(of string: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
