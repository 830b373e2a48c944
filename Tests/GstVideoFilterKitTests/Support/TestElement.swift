import CGStreamer
import CGStreamerCheck
import TestSupport
import Testing

@testable import GstVideoFilterKit

/// An element with the test's own source and sink.
///
/// The test's own thread processes the frames.
@safe final class TestElement {
  let element: UnsafeMutablePointer<GstElement>
  private let bus: UnsafeMutablePointer<GstBus>
  private var harness: UnsafeMutablePointer<GstHarness>?
  private var size = 0
  private var frames: UInt64 = 0

  /// Creates an element with properties in command-line syntax.
  init(_ factory: String, _ properties: [String: String] = [:]) throws {
    try #require(TestPlugin.isReady)
    unsafe element = try #require(gst_element_factory_make(factory, nil))
    unsafe bus = gst_bus_new()
    unsafe gst_element_set_bus(element, bus)
    for (name, value) in properties { set(name, value) }
  }

  deinit {
    if let harness = unsafe harness { unsafe gst_harness_teardown(harness) }
    unsafe gst_element_set_state(element, GST_STATE_NULL)
    unsafe gst_element_set_bus(element, nil)
    unsafe g_object_unref(UnsafeMutableRawPointer(bus))
    unsafe g_object_unref(UnsafeMutableRawPointer(element))
  }

  /// Sets a property from its command-line syntax.
  ///
  /// `child::name` is a property of a child.
  func set(_ name: String, _ value: String) {
    let parts = name.split(separator: ":", omittingEmptySubsequences: true)
    guard parts.count == 2 else {
      unsafe gst_util_set_object_arg(asObject, name, value)
      return
    }
    guard
      let child = unsafe gst_child_proxy_get_child_by_name(OpaquePointer(element), String(parts[0]))
    else { return }
    unsafe gst_util_set_object_arg(child, String(parts[1]), value)
    unsafe g_object_unref(UnsafeMutableRawPointer(child))
  }

  /// Returns a property as text.
  func get(_ name: String) -> String {
    var value = GValue()
    unsafe g_object_get_property(asObject, name, &value)
    defer { unsafe g_value_unset(&value) }
    let type = value.g_type
    if type == cgst_type_string() {
      return unsafe g_value_get_string(&value).map { unsafe String(cString: $0) } ?? ""
    }
    guard
      let text = unsafe type == cgst_type_structure()
        ? gst_structure_to_string(gst_value_get_structure(&value)) : gst_value_serialize(&value)
    else { return "" }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  private var asObject: UnsafeMutablePointer<GObject> {
    unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self)
  }

  /// Begins a stream, or changes its format.
  func start(
    _ format: String = "I420", width: Int = 4, height: Int = 4, colorimetry: String = "bt601"
  ) throws {
    if unsafe harness == nil {
      unsafe harness = gst_harness_new_with_element(element, "sink", "src")
    }
    let text =
      "video/x-raw, format=\(format), width=\(width), height=\(height), framerate=30/1"
      + (format == "RGBA" ? "" : ", colorimetry=\(colorimetry)")
    let caps = unsafe try #require(gst_caps_from_string(text))
    var info = unsafe GstVideoInfo()
    try #require(unsafe gst_video_info_from_caps(&info, caps) != 0)
    size = unsafe Int(info.size)
    unsafe gst_harness_set_src_caps(harness, caps)
  }

  /// Pushes a frame that is filled with `value`, or that contains `bytes`.
  @discardableResult
  func push(_ value: UInt8 = 100, bytes: [UInt8]? = nil) throws -> GstFlowReturn {
    try unsafe push(bytes ?? Array(repeating: value, count: size)) { _ in }
  }

  /// Pushes bytes in a buffer to which `describe` adds the plane layout.
  func push(
    _ bytes: [UInt8], describe: (UnsafeMutablePointer<GstBuffer>) -> Void
  ) throws -> GstFlowReturn {
    let buffer = unsafe try #require(gst_buffer_new_allocate(nil, gsize(bytes.count), nil))
    unsafe bytes.withUnsafeBytes { bytes in
      _ = unsafe gst_buffer_fill(buffer, 0, bytes.baseAddress, gsize(bytes.count))
    }
    unsafe describe(buffer)
    unsafe buffer.pointee.pts = GstClockTime(frames * 33_333_333)
    frames += 1
    return unsafe gst_harness_push(harness, buffer)
  }

  /// Pushes an event and takes ownership of it.
  func push(_ event: UnsafeMutablePointer<GstEvent>?) {
    unsafe gst_harness_push_event(harness, event)
  }

  /// Sends a QoS event: frames before `time`, in nanoseconds, are too late.
  func report(tooLateBefore time: Int64) {
    let event = unsafe gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 2, GstClockTimeDiff(time), 0)
    unsafe gst_harness_push_upstream_event(harness, event)
  }

  /// Removes the next output frame.
  ///
  /// Returns its bytes, or `nil` without a frame.
  func pull() -> [UInt8]? {
    guard let buffer = unsafe gst_harness_try_pull(harness) else { return nil }
    defer {
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(buffer)))
    }
    let count = unsafe Int(gst_buffer_get_size(buffer))
    var bytes = [UInt8](repeating: 0, count: count)
    unsafe bytes.withUnsafeMutableBytes { bytes in
      _ = unsafe gst_buffer_extract(buffer, 0, bytes.baseAddress, gsize(count))
    }
    return bytes
  }

  /// Pushes a frame and returns the output frame.
  func process(_ value: UInt8 = 100, bytes: [UInt8]? = nil) throws -> [UInt8] {
    try #require(push(value, bytes: bytes) == GST_FLOW_OK)
    return try #require(pull())
  }

  /// Pushes frames until the first output byte is `value`.
  func process(_ input: UInt8 = 100, untilFirstIs value: UInt8) throws {
    try Patience.wait { try process(input).first == value }
  }

  /// Pushes frames and discards the output until a push fails.
  ///
  /// Returns the flow of that push.
  func pushUntilItFails() throws -> GstFlowReturn {
    try Patience.wait {
      let flow = try push()
      _ = pull()
      return flow == GST_FLOW_OK ? nil : flow
    }
  }

  /// Pushes frames until the element posts a message of `kind`.
  ///
  /// Returns the first such message. Each frame must come out unchanged.
  func process(
    _ value: UInt8 = 100, bytes: [UInt8]? = nil, untilThereIs kind: GstMessageType
  ) throws -> String {
    let input = bytes ?? Array(repeating: value, count: size)
    return try Patience.wait {
      try #require(try process(bytes: input) == input)
      return messages(kind).first
    }
  }

  /// Returns a pad of the element, which the result keeps alive.
  func pad(_ name: String) throws -> TestPad {
    unsafe TestPad(try #require(gst_element_get_static_pad(element, name)))
  }

  /// Removes all messages from the bus.
  ///
  /// Returns the texts that `text` makes of them.
  private func messages(_ text: (UnsafeMutablePointer<GstMessage>) -> String?) -> [String] {
    var texts: [String] = []
    while let message = unsafe gst_bus_pop(bus) {
      if let text = unsafe text(message) { texts.append(text) }
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(message)))
    }
    return texts
  }

  /// Returns the text of an error or a warning.
  private func trouble(_ message: UnsafeMutablePointer<GstMessage>) -> String? {
    var error: UnsafeMutablePointer<GError>?
    if unsafe message.pointee.type == GST_MESSAGE_ERROR {
      unsafe gst_message_parse_error(message, &error, nil)
    } else if unsafe message.pointee.type == GST_MESSAGE_WARNING {
      unsafe gst_message_parse_warning(message, &error, nil)
    }
    guard let error = unsafe error else { return nil }
    defer { unsafe g_error_free(error) }
    return unsafe String(cString: error.pointee.message)
  }

  /// Removes all messages from the bus.
  ///
  /// Returns those with the type `kind` as text.
  func messages(_ kind: GstMessageType) -> [String] {
    unsafe messages { message in
      guard unsafe message.pointee.type == kind else { return nil }
      if kind != GST_MESSAGE_ELEMENT { return unsafe trouble(message) }
      guard
        let structure = unsafe gst_message_get_structure(message),
        let text = unsafe gst_structure_to_string(structure)
      else { return nil }
      defer { unsafe g_free(text) }
      return unsafe String(cString: text)
    }
  }

  /// Removes all messages from the bus.
  ///
  /// Returns errors and warnings as `error: text`.
  func troubles() -> [String] {
    unsafe messages { message in
      let isError = unsafe message.pointee.type == GST_MESSAGE_ERROR
      return unsafe trouble(message).map { "\(isError ? "error" : "warning"): \($0)" }
    }
  }

  /// Removes all messages from the bus.
  ///
  /// Returns notifications of watched properties as `name=text`.
  func notifications() -> [String] {
    unsafe messages { message in
      guard unsafe message.pointee.type == GST_MESSAGE_PROPERTY_NOTIFY else { return nil }
      var name: UnsafePointer<gchar>?
      var value: UnsafePointer<GValue>?
      unsafe gst_message_parse_property_notify(message, nil, &name, &value)
      let text = unsafe value.flatMap { unsafe g_value_get_string($0) }.map {
        unsafe String(cString: $0)
      }
      return unsafe name.map { unsafe "\(String(cString: $0))=\(text ?? "")" }
    }
  }

  /// Stops the element on the thread that posts a warning.
  func stopAtTheFirstWarning() {
    unsafe gst_bus_set_sync_handler(
      bus,
      { _, message, element in
        if let message = unsafe message, let element = unsafe element,
          unsafe message.pointee.type == GST_MESSAGE_WARNING
        {
          unsafe gst_element_set_state(
            element.assumingMemoryBound(to: GstElement.self), GST_STATE_NULL)
        }
        return GST_BUS_PASS
      }, UnsafeMutableRawPointer(element), nil)
  }
}

/// A pad of an element under test.
@safe final class TestPad {
  // An owned reference.
  private let pad: UnsafeMutablePointer<GstPad>

  init(_ pad: UnsafeMutablePointer<GstPad>) {
    unsafe self.pad = pad
  }

  deinit {
    unsafe gst_object_unref(UnsafeMutableRawPointer(pad))
  }

  /// Whether data can pass.
  ///
  /// This is false as soon as the element begins to stop.
  var isActive: Bool { unsafe gst_pad_is_active(pad) != 0 }
}
