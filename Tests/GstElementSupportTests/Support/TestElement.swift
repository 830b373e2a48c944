import CGStreamer
import CGStreamerCheck
import GstElementSupport
import Testing

/// An element that the test feeds with frames.
@safe final class TestElement {
  // Owned until deinit.
  let element: UnsafeMutablePointer<GstElement>
  private var harness: UnsafeMutablePointer<GstHarness>?

  init(_ type: ElementType) throws {
    try #require(type.type != 0)
    let made = unsafe try #require(g_object_new_with_properties(type.type, 0, nil, nil))
    unsafe element = UnsafeMutablePointer<GstElement>(OpaquePointer(made))
    unsafe gst_object_ref_sink(element)
  }

  deinit {
    if let harness = unsafe harness { unsafe gst_harness_teardown(harness) }
    unsafe gst_element_set_state(element, GST_STATE_NULL)
    unsafe gst_object_unref(element)
  }

  var dimmer: Dimmer? { unsafe Dimmer.behind(element) }

  var object: UnsafeMutablePointer<GObject> { unsafe UnsafeMutablePointer(OpaquePointer(element)) }

  /// Returns the GObject specification of a property.
  func specification(_ name: String) throws -> UnsafeMutablePointer<GParamSpec> {
    let type = unsafe UnsafeMutablePointer<GObjectClass>(
      OpaquePointer(element.pointee.object.object.g_type_instance.g_class))
    return unsafe try #require(g_object_class_find_property(type, name))
  }

  /// Sets a property from its command-line syntax.
  func set(_ name: String, _ value: String) {
    unsafe gst_util_set_object_arg(object, name, value)
  }

  /// Returns a property as text.
  func get(_ name: String) throws -> String {
    var value = GValue()
    unsafe g_object_get_property(object, name, &value)
    defer { unsafe g_value_unset(&value) }
    let text = unsafe try #require(gst_value_serialize(&value) ?? g_strdup("NULL"))
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  /// Pushes a frame of 16 pixels.
  ///
  /// Returns the flow and the number of output frames.
  func push() throws -> (flow: GstFlowReturn, count: Int) {
    if unsafe harness == nil {
      unsafe harness = gst_harness_new_with_element(element, "sink", "src")
      unsafe gst_harness_set_src_caps_str(
        harness, "video/x-raw, format=GRAY8, width=4, height=4, framerate=30/1")
    }
    let buffer = unsafe try #require(gst_buffer_new_allocate(nil, 16, nil))
    let flow = unsafe gst_harness_push(harness, buffer)
    var count = 0
    while let out = unsafe gst_harness_try_pull(harness) {
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(out)))
      count += 1
    }
    return (flow, count)
  }
}
