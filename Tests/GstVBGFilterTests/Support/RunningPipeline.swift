import CGStreamer
import CVBGFilter
import TestSupport
import Testing

@testable import GstVBGFilter

/// A pipeline of a description with a `vbgfilter name=filter`, which gets fake networks; it ends with
/// this object.
///
/// Nothing here waits for ever: what does not come is an error, and a call that does not return ends
/// the test process.
@safe final class RunningPipeline {
  /// What was waited for in vain.
  struct Stuck: Error, CustomStringConvertible {
    let description: String
  }

  let models = FakeModels()
  let filter: UnsafeMutablePointer<GstElement>
  let bus: UnsafeMutablePointer<GstBus>
  private let pipeline: UnsafeMutablePointer<GstElement>

  init(_ description: String) throws {
    GStreamer.prepare()
    unsafe pipeline = try #require(
      gst_parse_launch_full(description, nil, GST_PARSE_FLAG_FATAL_ERRORS, nil), "\(description)")
    let bin = unsafe UnsafeMutablePointer<GstBin>(OpaquePointer(pipeline))
    unsafe filter = try #require(gst_bin_get_by_name(bin, "filter"))
    unsafe bus = try #require(gst_element_get_bus(pipeline))
    object.modelLoader = models
    object.modelsFolder = "/nonexistent"
  }

  deinit {
    _ = stop(to: GST_STATE_NULL)
    unsafe GStreamer.unref(bus)
    unsafe GStreamer.unref(filter)
    unsafe GStreamer.unref(pipeline)
  }

  /// The Swift object behind the filter.
  var object: VBGFilterElement {
    guard let object = unsafe VBGFilterElement.behind(filter) else {
      preconditionFailure("vbgfilter was made by another plugin")
    }
    return object
  }

  /// Sets a property of the filter, given as on a command line.
  func set(_ name: String, _ value: String) {
    unsafe gst_util_set_object_arg(UnsafeMutablePointer(OpaquePointer(filter)), name, value)
  }

  /// An element by its name, which the caller owns.
  func element(_ name: String) throws -> UnsafeMutablePointer<GstElement> {
    let bin = unsafe UnsafeMutablePointer<GstBin>(OpaquePointer(pipeline))
    return unsafe try #require(gst_bin_get_by_name(bin, name), "\(name)")
  }

  /// Stops, to a state; false when it fails.
  ///
  /// A bin says so as well when a stream posts an error meanwhile, but the second time there is none.
  func stop(to state: GstState) -> Bool { change(to: state) || change(to: state) }

  /// Begins to change the state; false when it fails.
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

  /// Whether the last change of the state comes to its end soon.
  var settles: Bool {
    unsafe gst_element_get_state(pipeline, nil, nil, GstClockTime(2_000_000_000))
      == GST_STATE_CHANGE_SUCCESS
  }

  /// Seeks on a thread of its own, which gives whether an element took it.
  ///
  /// Without a flush it waits for the streaming thread, which must not wait for a change of the state:
  /// that would wait for the seek.
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

  /// Takes the first message of some kinds off the bus; others before it are dropped.
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
