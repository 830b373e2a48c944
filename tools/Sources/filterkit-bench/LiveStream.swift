import CGStreamer

/// A live stream of 1080p NV12 frames through an element to a sink that synchronizes to the clock.
///
/// It has 30 frames per second.
@safe final class LiveStream {
  /// The delays of frames at the sink.
  struct Timing {
    /// The time from the capture of each frame to its arrival, in milliseconds.
    var delays: [Double] = []
    /// The number of frames that arrived after their presentation time.
    var late = 0

    /// Adds the delays of another stream.
    mutating func append(_ other: Timing) {
      delays += other.delays
      late += other.late
    }
  }

  // This object owns a reference to each.
  private let pipeline: UnsafeMutablePointer<GstElement>
  private let sink: UnsafeMutablePointer<GstElement>
  /// The delays of the current run.
  ///
  /// The streaming thread writes to it while the stream plays. Read it only after the stream has
  /// stopped.
  private var timing = Timing()
  private var hasStarted = false

  /// Creates the pipeline.
  ///
  /// On failure prints the reason and returns nil.
  ///
  /// `source` and `element` are in the syntax of gst-launch-1.0.
  init?(source: String, element: String) {
    let caps = "video/x-raw,format=NV12,width=1920,height=1080,framerate=30/1"
    var error: UnsafeMutablePointer<GError>?
    let made = unsafe gst_parse_launch_full(
      "\(source) ! \(caps) ! \(element) ! fakesink name=sink sync=true", nil,
      GST_PARSE_FLAG_FATAL_ERRORS, &error)
    unsafe Self.tell(&error)
    guard let made = unsafe made else { return nil }
    let bin = unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(to: GstBin.self)
    guard let sink = unsafe gst_bin_get_by_name(bin, "sink") else { return nil }
    unsafe pipeline = made
    unsafe self.sink = sink
  }

  deinit {
    unsafe gst_object_unref(UnsafeMutableRawPointer(sink))
    unsafe gst_object_unref(UnsafeMutableRawPointer(pipeline))
  }

  /// Plays for `seconds`.
  ///
  /// On failure prints the reason and returns nil.
  func run(seconds: Int) -> Timing? {
    guard
      let pad = unsafe gst_element_get_static_pad(sink, "sink"),
      let bus = unsafe gst_element_get_bus(pipeline)
    else { return nil }
    timing = Timing()
    hasStarted = false
    // The probe holds no reference to this object, which is alive until the pipeline has stopped.
    let probe = unsafe gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_BUFFER,
      { _, info, stream in
        if let stream = unsafe stream, let data = unsafe info?.pointee.data {
          unsafe Unmanaged<LiveStream>.fromOpaque(stream).takeUnretainedValue().note(
            data.assumingMemoryBound(to: GstBuffer.self))
        }
        return GST_PAD_PROBE_OK
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
    unsafe gst_element_set_state(pipeline, GST_STATE_PLAYING)
    let message = unsafe gst_bus_timed_pop_filtered(
      bus, GstClockTime(seconds) * 1_000_000_000,
      GstMessageType(GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_EOS.rawValue))
    unsafe gst_element_set_state(pipeline, GST_STATE_NULL)
    unsafe gst_pad_remove_probe(pad, probe)
    unsafe gst_object_unref(pad)
    unsafe gst_object_unref(bus)
    guard let message = unsafe message else { return timing }
    var error: UnsafeMutablePointer<GError>?
    if unsafe message.pointee.type == GST_MESSAGE_ERROR {
      unsafe gst_message_parse_error(message, &error, nil)
    }
    unsafe Self.tell(&error)
    unsafe gst_message_unref(message)
    return nil
  }

  private func note(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    // The first frame also waits for the pipeline's threads to start.
    guard hasStarted else {
      hasStarted = true
      return
    }
    guard let clock = unsafe gst_element_get_clock(pipeline) else { return }
    let now = unsafe gst_clock_get_time(clock)
    unsafe gst_object_unref(clock)
    let taken = unsafe gst_element_get_base_time(pipeline) &+ buffer.pointee.pts
    let delay = Int(bitPattern: now &- taken)
    timing.delays.append(Double(delay) / 1e6)
    let base = unsafe UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstBaseSink.self)
    if unsafe delay > Int(bitPattern: gst_base_sink_get_latency(base)) { timing.late += 1 }
  }

  private static func tell(_ error: inout UnsafeMutablePointer<GError>?) {
    if let error = unsafe error { unsafe print(String(cString: error.pointee.message)) }
    unsafe g_clear_error(&error)
  }
}
