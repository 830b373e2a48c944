import CGStreamer

/// An element that processes the same buffer repeatedly.
///
/// Not thread-safe. The calling thread is also the streaming thread.
@safe final class ElementUnderTest {
  // `deinit` releases the element. The other three remain until the program ends. `slot` owns the
  // buffer, except while the element processes it.
  private let element: UnsafeMutablePointer<GstElement>
  private let source: UnsafeMutablePointer<GstPad>
  private let sink: UnsafeMutablePointer<GstPad>
  private let slot: UnsafeMutablePointer<UnsafeMutablePointer<GstBuffer>?>
  /// The size of a frame in bytes.
  let size: Int

  /// Creates an element for 1080p NV12 frames and sets it to PLAYING.
  ///
  /// Returns nil if GStreamer has no such element.
  ///
  /// - Parameters:
  ///   - factory: the name of the element.
  ///   - width: the value of the element's property `width`, or nil for its default.
  init?(_ factory: String, width: Int? = nil) {
    let text = "video/x-raw, format=NV12, width=1920, height=1080, framerate=30/1"
    guard
      let made = unsafe gst_element_factory_make(factory, nil),
      let output = unsafe gst_pad_new("output", GST_PAD_SRC),
      let input = unsafe gst_pad_new("input", GST_PAD_SINK),
      let caps = unsafe gst_caps_from_string(text)
    else { return nil }
    unsafe element = made
    unsafe source = output
    unsafe sink = input
    unsafe slot = .allocate(capacity: 1)
    unsafe slot.initialize(to: nil)
    size = 1920 * 1080 * 3 / 2
    unsafe sink.pointee.chaindata = UnsafeMutableRawPointer(slot)
    unsafe gst_pad_set_chain_function_full(
      sink,
      { pad, _, buffer in
        unsafe pad?.pointee.chaindata?.assumingMemoryBound(
          to: UnsafeMutablePointer<GstBuffer>?.self
        ).pointee = buffer
        return GST_FLOW_OK
      }, slot, nil)
    unsafe gst_pad_set_active(sink, 1)
    unsafe gst_pad_set_active(source, 1)
    unsafe gst_pad_link(source, gst_element_get_static_pad(element, "sink"))
    unsafe gst_pad_link(gst_element_get_static_pad(element, "src"), sink)
    if let width {
      unsafe gst_util_set_object_arg(
        UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), "width",
        "\(width)")
    }
    unsafe gst_element_set_state(element, GST_STATE_PLAYING)
    unsafe gst_pad_push_event(source, gst_event_new_stream_start("bench"))
    unsafe gst_pad_push_event(source, gst_event_new_caps(caps))
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
    unsafe gst_pad_push_event(source, gst_event_new_segment(&segment))
    unsafe slot.pointee = gst_buffer_new_allocate(nil, gsize(size), nil)
    unsafe gst_buffer_memset(slot.pointee, 0, 100, gsize(size))
  }

  deinit {
    unsafe gst_element_set_state(element, GST_STATE_NULL)
    unsafe gst_object_unref(UnsafeMutableRawPointer(element))
  }

  /// Sends the buffer through the element once.
  ///
  /// Returns false if the element fails or does not output the buffer.
  func run() -> Bool {
    let buffer = unsafe slot.pointee
    unsafe slot.pointee = nil
    return unsafe gst_pad_push(source, buffer) == GST_FLOW_OK && slot.pointee != nil
  }

  /// Sets the chroma of the buffer to grey with a single memset.
  func setChroma() {
    unsafe gst_buffer_memset(slot.pointee, gsize(size * 2 / 3), 128, gsize(size / 3))
  }
}

/// Pauses the calling thread.
func pause(milliseconds: Int) {
  g_usleep(gulong(milliseconds * 1000))
}
