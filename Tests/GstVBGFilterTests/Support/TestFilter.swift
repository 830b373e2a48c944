import CGStreamer
import CGStreamerCheck
import CVBGFilter
import Glibc
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// GStreamer, made ready once for the test process, with the plugin linked in.
enum GStreamer {
  private static let isReady: Bool = {
    precondition(GStreamerInit.done)
    gst_plugin_vbgfilter_register()
    // A complaint about a programming error ends the test process. GLib's own way to do that is a
    // breakpoint, which Swift's backtracer survives.
    _ = unsafe g_log_set_default_handler(
      { domain, level, text, _ in
        unsafe g_log_default_handler(domain, level, text, nil)
        if level.rawValue & G_LOG_LEVEL_CRITICAL.rawValue != 0 { abort() }
      }, nil)
    return true
  }()

  /// Makes sure that GStreamer can be used.
  static func prepare() {
    precondition(isReady)
  }

  /// Lets the process live on after complaints about a programming error: for exit tests, whose
  /// process runs nothing else.
  static func forgiveCriticals() {
    prepare()
    _ = unsafe g_log_set_default_handler(
      { domain, level, text, _ in unsafe g_log_default_handler(domain, level, text, nil) }, nil)
  }

  /// Makes an element; properties are given as on a command line.
  static func make(
    _ factory: String, _ properties: [String: String] = [:]
  ) throws -> UnsafeMutablePointer<GstElement> {
    prepare()
    let element = unsafe try #require(gst_element_factory_make(factory, nil))
    for (name, value) in properties {
      unsafe gst_util_set_object_arg(UnsafeMutablePointer(OpaquePointer(element)), name, value)
    }
    return unsafe element
  }

  /// Drops a reference to a GObject.
  static func unref<Object>(_ object: UnsafeMutablePointer<Object>) {
    unsafe g_object_unref(UnsafeMutableRawPointer(object))
  }

  /// Adds a reference to a buffer, a message or their like.
  @discardableResult
  static func refMini<Object>(
    _ object: UnsafeMutablePointer<Object>
  ) -> UnsafeMutablePointer<Object> {
    unsafe gst_mini_object_ref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(object)))
    return unsafe object
  }

  /// Drops a reference to a buffer, a message or their like.
  static func unrefMini<Object>(_ object: UnsafeMutablePointer<Object>) {
    unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(object)))
  }
}

/// One `vbgfilter` with fake networks, which the test feeds and whose output it looks at.
///
/// Frames are worked on in the test's own thread.
@safe final class TestFilter {
  let element: UnsafeMutablePointer<GstElement>
  let models = FakeModels()
  let bus: UnsafeMutablePointer<GstBus>
  /// The pad that frames leave by.
  let sourcePad: UnsafeMutablePointer<GstPad>
  private(set) var harness: UnsafeMutablePointer<GstHarness>?
  private(set) var stream: StreamFormat
  /// The caps that the sink takes, as on a command line; any if it is nil.
  private let sinkCaps: String?

  /// Makes an element with a network that works, unless `properties` name another one.
  init(
    format: PixelFormat = .nv12, width: Int = 320, height: Int = 180,
    colorimetry: String? = nil, sink: String? = nil, _ properties: [String: String] = [:]
  ) throws {
    stream = try StreamFormat(format, width: width, height: height, colorimetry: colorimetry)
    sinkCaps = sink
    let calm = ["model": "good", "smoothing": "0"]
    unsafe element = try GStreamer.make(
      "vbgfilter", calm.merging(properties) { _, given in given })
    unsafe bus = gst_bus_new()
    unsafe gst_element_set_bus(element, bus)
    unsafe sourcePad = try #require(gst_element_get_static_pad(element, "src"))
    object.modelLoader = models
    object.modelsFolder = "/nonexistent"
    // What is wrong with a background is known at the start, on however busy a machine.
    object.backgroundTimeouts.start = .seconds(60)
  }

  deinit {
    if let harness = unsafe harness { unsafe gst_harness_teardown(harness) }
    unsafe gst_element_set_state(element, GST_STATE_NULL)
    unsafe gst_element_set_bus(element, nil)
    unsafe GStreamer.unref(bus)
    unsafe GStreamer.unref(sourcePad)
    unsafe GStreamer.unref(element)
  }

  /// The Swift object behind the element.
  var object: VBGFilterElement {
    guard let object = unsafe VBGFilterElement.behind(element) else {
      preconditionFailure("vbgfilter was made by another plugin")
    }
    return object
  }

  /// Sets a property, given as on a command line; an empty string is none.
  func set(_ name: String, _ value: String) {
    unsafe gst_util_set_object_arg(UnsafeMutablePointer(OpaquePointer(element)), name, value)
  }

  /// Brings the element to PAUSED; false when it does not start.
  func tryToStart() -> Bool {
    unsafe gst_element_set_state(element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE
  }

  /// Starts the element, with a source and a sink of the test's own.
  func start() {
    guard unsafe harness == nil else { return }
    unsafe harness = gst_harness_new_with_element(element, "sink", "src")
    if let sinkCaps { unsafe gst_harness_set_sink_caps_str(harness, sinkCaps) }
    sendCaps()
  }

  /// Goes on with frames of another format.
  func renegotiate(
    format: PixelFormat? = nil, width: Int, height: Int, colorimetry: String? = nil,
    framerate: String = "30/1"
  ) throws {
    stream = try StreamFormat(
      format ?? stream.pixelFormat, width: width, height: height, colorimetry: colorimetry,
      framerate: framerate)
    sendCaps()
  }

  private func sendCaps() {
    unsafe gst_harness_set_src_caps(harness, stream.makeCaps())
  }

  /// A property, written out.
  func value(of name: String) -> String? {
    var value = GValue()
    unsafe g_object_get_property(UnsafeMutablePointer(OpaquePointer(element)), name, &value)
    defer { unsafe g_value_unset(&value) }
    guard let text = unsafe gst_value_serialize(&value) else { return nil }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  /// Sends an event downstream, which is taken over.
  func send(_ event: UnsafeMutablePointer<GstEvent>) -> Bool {
    start()
    return unsafe gst_harness_push_event(harness, event) != 0
  }

  /// Sends a segment of times, or of another format.
  func sendSegment(_ format: GstFormat = GST_FORMAT_TIME, from start: UInt64 = 0) throws {
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, format)
    (segment.start, segment.time) = (guint64(start), guint64(start))
    try #require(unsafe send(try #require(gst_event_new_segment(&segment))))
  }

  /// Throws away what is on its way, as a seek does, and goes on from a time.
  func flush(thenFrom start: UInt64 = 0) throws {
    try #require(unsafe send(try #require(gst_event_new_flush_start())))
    try endFlush(thenFrom: start)
  }

  /// Ends a flush, and goes on from a time.
  func endFlush(thenFrom start: UInt64 = 0) throws {
    try #require(unsafe send(try #require(gst_event_new_flush_stop(1))))
    try sendSegment(from: start)
  }

  /// Pushes a buffer, which is taken over.
  func push(_ buffer: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
    start()
    return unsafe gst_harness_push(harness, buffer)
  }

  /// Pushes a picture of the room.
  @discardableResult
  func pushRoom(padding: Int? = nil, time: UInt64? = nil) -> GstFlowReturn {
    let picture = Room.picture(stream.frameFormat, padding: padding ?? 0)
    let buffer = unsafe stream.makeBuffer(picture, hasMeta: padding != nil)
    if let time { unsafe buffer.pointee.pts = GstClockTime(time) }
    return unsafe push(buffer)
  }

  /// Takes the next buffer that came out, if one did; the caller owns it.
  func pullBuffer() -> UnsafeMutablePointer<GstBuffer>? {
    start()
    return unsafe gst_harness_try_pull(harness)
  }

  /// Takes the next picture that came out, if one did.
  func pull() throws -> TestPicture? {
    guard let buffer = unsafe pullBuffer() else { return nil }
    defer { unsafe GStreamer.unrefMini(buffer) }
    return unsafe try stream.picture(in: buffer)
  }

  /// The caps that the filter has negotiated with the sink.
  func outputCaps() throws -> String {
    let caps = unsafe try #require(gst_pad_get_current_caps(sourcePad))
    defer { unsafe GStreamer.unrefMini(caps) }
    let text = unsafe try #require(gst_caps_to_string(caps))
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  /// The format in which pictures go out.
  func outputFormat() throws -> PixelFormat {
    let caps = try outputCaps()
    return try #require(
      PixelFormat.allCases.first { caps.contains("format=(string)\($0.name)") }, "\(caps)")
  }

  /// Takes the next picture that came out, if one did, in the format that was negotiated.
  func pullPlanes() throws -> TestPlanes? {
    guard let buffer = unsafe pullBuffer() else { return nil }
    defer { unsafe GStreamer.unrefMini(buffer) }
    let format = stream.frameFormat
    let output = try StreamFormat(outputFormat(), width: format.width, height: format.height)
    return unsafe try output.planes(in: buffer, of: format)
  }

  /// Pushes a picture of the room and returns what came out, in the format that was negotiated.
  func processToPlanes(padding: Int? = nil) throws -> TestPlanes {
    try #require(pushRoom(padding: padding) == GST_FLOW_OK)
    return try #require(try pullPlanes())
  }

  /// Pushes a picture of the room and returns what came out.
  func process(padding: Int? = nil, time: UInt64? = nil) throws -> TestPicture {
    let flow = pushRoom(padding: padding, time: time)
    try #require(flow == GST_FLOW_OK, "\(flow == GST_FLOW_OK ? [] : messages())")
    return try #require(try pull())
  }

  /// Pushes pictures of the room until something loaded in the background shows; returns all that
  /// came out, the last one of which fulfils the condition.
  @discardableResult
  func process(until condition: () throws -> Bool) throws -> [TestPicture] {
    var outputs: [TestPicture] = []
    try Patience.wait(until: {
      outputs.append(try process())
      return try condition()
    })
    return outputs
  }

  /// Pushes pictures of the room until there are errors or warnings; returns these and what came out.
  @discardableResult
  func processUntilMessages() throws -> (messages: [BusMessage], outputs: [TestPicture]) {
    var messages: [BusMessage] = []
    let outputs = try process(until: {
      messages += self.messages()
      return !messages.isEmpty
    })
    return (messages, outputs)
  }

  /// Sends an event upstream, as a sink does; it is taken over.
  @discardableResult
  func sendUpstream(_ event: UnsafeMutablePointer<GstEvent>) -> Bool {
    start()
    return unsafe gst_harness_push_upstream_event(harness, event) != 0
  }

  /// Says from downstream how late a frame was, in nanoseconds of running time.
  func report(lateness: Int64, ofFrameAt time: UInt64) {
    if let event = unsafe gst_event_new_qos(
      GST_QOS_TYPE_UNDERFLOW, 1.5, GstClockTimeDiff(lateness), GstClockTime(time))
    {
      unsafe sendUpstream(event)
    }
  }

  /// Takes all messages of a kind off the bus, as their structures written out; drops the others.
  func messages(of kind: GstMessageType) -> [String] {
    var texts: [String] = []
    while let message = unsafe gst_bus_pop(bus) {
      defer { unsafe GStreamer.unrefMini(message) }
      guard unsafe message.pointee.type == kind,
        let structure = unsafe gst_message_get_structure(message),
        let text = unsafe gst_structure_to_string(structure)
      else { continue }
      unsafe texts.append(String(cString: text))
      unsafe g_free(text)
    }
    return texts
  }

  /// Takes the errors and warnings that were posted so far.
  func messages() -> [BusMessage] {
    unsafe BusMessage.takeAll(from: bus)
  }

  /// The value of a number in `stats`.
  func statistic(_ name: String) throws -> UInt64 { try statistics([name])[0] }

  /// The values of some numbers in `stats`, all of one moment.
  func statistics(_ names: [String]) throws -> [UInt64] {
    let structure = unsafe try #require(makeStats())
    defer { unsafe gst_structure_free(structure) }
    return try names.map { name in
      var value = guint64(0)
      try #require(unsafe gst_structure_get_uint64(structure, name, &value) != 0)
      return UInt64(value)
    }
  }

  /// The value of a fraction in `stats`.
  func statisticFraction(_ name: String) throws -> Double {
    var value = 0.0
    let structure = unsafe try #require(makeStats())
    defer { unsafe gst_structure_free(structure) }
    try #require(unsafe gst_structure_get_double(structure, name, &value) != 0)
    return value
  }

  /// Whether something is so, according to `stats`.
  func statisticFlag(_ name: String) throws -> Bool {
    var value: gboolean = 0
    let structure = unsafe try #require(makeStats())
    defer { unsafe gst_structure_free(structure) }
    try #require(unsafe gst_structure_get_boolean(structure, name, &value) != 0)
    return value != 0
  }

  /// The value of a string in `stats`.
  func statisticString(_ name: String) throws -> String {
    let structure = unsafe try #require(makeStats())
    defer { unsafe gst_structure_free(structure) }
    return unsafe String(cString: try #require(gst_structure_get_string(structure, name)))
  }

  private func makeStats() -> UnsafeMutablePointer<GstStructure>? {
    var value = GValue()
    _ = unsafe g_value_init(&value, gst_structure_get_type())
    unsafe g_object_get_property(
      UnsafeMutablePointer(OpaquePointer(element)), "stats", &value)
    defer { unsafe g_value_unset(&value) }
    return unsafe g_value_dup_boxed(&value)?.assumingMemoryBound(to: GstStructure.self)
  }
}

extension [String: String] {
  /// The properties of both; where both have one, that of the others.
  func with(_ others: Self) -> Self { merging(others) { _, other in other } }
}
