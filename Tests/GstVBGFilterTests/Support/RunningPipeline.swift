import CGStreamer
import CVBGFilter
import TestSupport
import Testing

@testable import GstVBGFilter

/// A pipeline made from a description, with fake networks for its `vbgfilter name=filter`.
///
/// It ends with this object. Nothing waits without a limit: a missing buffer is an error, and a
/// call that does not return ends the test process.
@safe final class RunningPipeline {
  /// An error for a failure or a timeout.
  struct Stuck: Error, CustomStringConvertible {
    let description: String
  }

  let models = FakeModels()
  let pipeline: UnsafeMutablePointer<GstElement>
  let bus: UnsafeMutablePointer<GstBus>
  private let description: String

  init(_ description: String) throws {
    GStreamer.prepare()
    self.description = description
    unsafe pipeline = try #require(
      gst_parse_launch_full(description, nil, GST_PARSE_FLAG_FATAL_ERRORS, nil), "\(description)")
    unsafe bus = try #require(gst_element_get_bus(pipeline))
    guard let filter = unsafe try? element("filter") else { return }
    unsafe VBGFilterElement.behind(filter)?.modelLoader = models
    unsafe VBGFilterElement.behind(filter)?.modelsFolder = "/nonexistent"
  }

  deinit {
    _ = stop(to: GST_STATE_NULL)
    unsafe GStreamer.unref(bus)
    unsafe GStreamer.unref(pipeline)
  }

  /// The Swift object behind the filter.
  var object: VBGFilterElement {
    guard let filter = unsafe try? element("filter"),
      let object = unsafe VBGFilterElement.behind(filter)
    else { preconditionFailure("no vbgfilter of this plugin: \(description)") }
    return object
  }

  /// Sets a property of the filter, written as on a command line.
  func set(_ name: String, _ value: String) {
    guard let filter = unsafe try? element("filter") else { return }
    unsafe gst_util_set_object_arg(UnsafeMutablePointer(OpaquePointer(filter)), name, value)
  }

  /// Returns an element, which exists as long as the pipeline.
  func element(_ name: String) throws -> UnsafeMutablePointer<GstElement> {
    let bin = unsafe UnsafeMutablePointer<GstBin>(OpaquePointer(pipeline))
    guard let element = unsafe gst_bin_get_by_name(bin, name) else {
      throw Stuck(description: "no element \(name): \(description)")
    }
    unsafe GStreamer.unref(element)
    return unsafe element
  }

  /// Pushes a buffer into the `appsrc name=source` and takes ownership of it.
  func push(_ buffer: UnsafeMutablePointer<GstBuffer>?) throws {
    let source = unsafe UnsafeMutablePointer<GstAppSrc>(OpaquePointer(try element("source")))
    try #require(unsafe gst_app_src_push_buffer(source, buffer) == GST_FLOW_OK)
  }

  /// Ends the stream of the `appsrc name=source`.
  func endStream() throws {
    let source = unsafe UnsafeMutablePointer<GstAppSrc>(OpaquePointer(try element("source")))
    try #require(unsafe gst_app_src_end_of_stream(source) == GST_FLOW_OK)
  }

  /// Takes the next buffer from the `appsink name=sink`, or nil at the end.
  ///
  /// The caller owns the buffer.
  func pull() throws -> UnsafeMutablePointer<GstBuffer>? {
    let sink = unsafe UnsafeMutablePointer<GstAppSink>(OpaquePointer(try element("sink")))
    guard
      let sample = unsafe gst_app_sink_try_pull_sample(sink, GstClockTime(20_000_000_000))
    else {
      if unsafe gst_app_sink_is_eos(sink) != 0 { return nil }
      throw Stuck(description: "no frame: \(description)")
    }
    defer { unsafe GStreamer.unrefMini(UnsafeMutablePointer<GstMiniObject>(sample)) }
    return unsafe GStreamer.refMini(try #require(gst_sample_get_buffer(sample)))
  }

  /// Waits for the end of the stream and throws if an element fails.
  func waitForEnd() throws {
    let end = takeMessage(GST_MESSAGE_EOS, GST_MESSAGE_ERROR, wait: 60_000_000_000)
    guard end == GST_MESSAGE_EOS else { throw Stuck(description: "no end: \(description)") }
  }

  /// Stops in `state` and returns false if it fails.
  ///
  /// A bin also reports a failure if a stream posts an error at the same time. The second attempt
  /// then succeeds.
  func stop(to state: GstState) -> Bool { change(to: state) || change(to: state) }

  /// Begins a state change and returns false if it fails.
  func change(to state: GstState) -> Bool {
    let address = unsafe UInt(bitPattern: pipeline)
    let change = HelperThread {
      unsafe gst_element_set_state(UnsafeMutablePointer(bitPattern: address), state)
    }
    guard let result = change.join(upTo: Patience.limit) else {
      fatalError("a pipeline does not change its state to \(state)")
    }
    return result != GST_STATE_CHANGE_FAILURE
  }

  /// Whether the last state change finishes soon.
  var settles: Bool {
    unsafe gst_element_get_state(pipeline, nil, nil, GstClockTime(2_000_000_000))
      == GST_STATE_CHANGE_SUCCESS
  }

  /// Seeks on another thread and returns that thread.
  ///
  /// Its result is whether an element handled the seek. A seek without a flush waits for the
  /// streaming thread. That thread must not wait for a state change meanwhile, because the change
  /// would wait for the seek.
  func seek(
    rate: Double = 1, _ flags: GstSeekFlags, from start: UInt64, to stop: UInt64? = nil
  ) -> HelperThread<Bool> {
    let address = unsafe UInt(bitPattern: pipeline)
    return HelperThread {
      unsafe gst_element_seek(
        UnsafeMutablePointer(bitPattern: address), rate, GST_FORMAT_TIME, flags,
        GST_SEEK_TYPE_SET, gint64(start), GST_SEEK_TYPE_SET, stop.map { gint64($0) } ?? -1) != 0
    }
  }

  /// Takes the first message of these kinds off the bus and drops the messages before it.
  func takeMessage(_ kinds: GstMessageType..., wait: UInt64 = 0) -> GstMessageType? {
    let all = GstMessageType(kinds.reduce(0) { $0 | $1.rawValue })
    guard let message = unsafe gst_bus_timed_pop_filtered(bus, GstClockTime(wait), all) else {
      return nil
    }
    defer { unsafe GStreamer.unrefMini(message) }
    return unsafe message.pointee.type
  }

  /// Drops the messages on the bus.
  func forgetMessages() {
    unsafe gst_bus_set_flushing(bus, 1)
    unsafe gst_bus_set_flushing(bus, 0)
  }
}
