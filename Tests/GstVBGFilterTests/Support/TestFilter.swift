import CGStreamer
import CGStreamerCheck
import CVBGFilter
import PixelTypes
import TestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// A `vbgfilter` with fake networks, input from the test and access to the output.
///
/// The test's own thread processes the frames.
@safe final class TestFilter {
  let element: UnsafeMutablePointer<GstElement>
  let models = FakeModels()
  let bus: UnsafeMutablePointer<GstBus>
  /// The pad through which frames leave.
  let sourcePad: UnsafeMutablePointer<GstPad>
  private(set) var harness: UnsafeMutablePointer<GstHarness>?
  private(set) var stream: StreamFormat
  /// The caps that the sink accepts, as on a command line.
  ///
  /// If `nil`, the sink accepts all caps.
  private let sinkCaps: String?

  /// Makes an element with a network that works, unless `properties` names another one.
  init(
    format: PixelFormat = .nv12, width: Int = 320, height: Int = 180,
    colorimetry: String? = nil, sink: String? = nil, _ properties: [String: String] = [:]
  ) throws {
    stream = try StreamFormat(format, width: width, height: height, colorimetry: colorimetry)
    sinkCaps = sink
    unsafe element = try GStreamer.make(
      "vbgfilter", ["model": "good", "smoothing": "0"].with(properties))
    unsafe bus = gst_bus_new()
    unsafe gst_element_set_bus(element, bus)
    unsafe sourcePad = try #require(gst_element_get_static_pad(element, "src"))
    object.modelLoader = models
    object.modelsFolder = "/nonexistent"
    // Even a busy machine must report a faulty background during the start.
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

  /// Sets a property, written as on a command line, or to an empty string.
  func set(_ name: String, _ value: String) {
    unsafe gst_util_set_object_arg(UnsafeMutablePointer(OpaquePointer(element)), name, value)
  }

  /// Sets the element to PAUSED and returns false if it does not start.
  func tryToStart() -> Bool {
    unsafe gst_element_set_state(element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE
  }

  /// Starts the element between the source and the sink of a harness.
  func start() {
    guard unsafe harness == nil else { return }
    unsafe harness = gst_harness_new_with_element(element, "sink", "src")
    if let sinkCaps { unsafe gst_harness_set_sink_caps_str(harness, sinkCaps) }
    sendCaps()
  }

  /// Changes the format of the following frames.
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

  /// Returns the value of a property as text.
  func value(of name: String) -> String? {
    var value = GValue()
    unsafe g_object_get_property(UnsafeMutablePointer(OpaquePointer(element)), name, &value)
    defer { unsafe g_value_unset(&value) }
    guard let text = unsafe gst_value_serialize(&value) else { return nil }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  /// Sends an event downstream and takes ownership of it.
  func send(_ event: UnsafeMutablePointer<GstEvent>) -> Bool {
    start()
    return unsafe gst_harness_push_event(harness, event) != 0
  }

  func sendSegment(_ format: GstFormat = GST_FORMAT_TIME, from start: UInt64 = 0) throws {
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, format)
    (segment.start, segment.time) = (guint64(start), guint64(start))
    try #require(unsafe send(try #require(gst_event_new_segment(&segment))))
  }

  /// Discards the frames in progress, as a seek does, and continues from `start`.
  func flush(thenFrom start: UInt64 = 0) throws {
    try #require(unsafe send(try #require(gst_event_new_flush_start())))
    try endFlush(thenFrom: start)
  }

  func endFlush(thenFrom start: UInt64 = 0) throws {
    try #require(unsafe send(try #require(gst_event_new_flush_stop(1))))
    try sendSegment(from: start)
  }

  /// Pushes a buffer and takes ownership of it.
  func push(_ buffer: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
    start()
    return unsafe gst_harness_push(harness, buffer)
  }

  /// Makes a buffer with a picture, by default of the room, which the caller owns.
  func makeBuffer(
    _ picture: TestPicture? = nil, hasMeta: Bool = false, time: UInt64? = nil
  ) -> UnsafeMutablePointer<GstBuffer> {
    let buffer = unsafe stream.makeBuffer(
      picture ?? Room.picture(stream.frameFormat), hasMeta: hasMeta)
    if let time { unsafe buffer.pointee.pts = GstClockTime(time) }
    return unsafe buffer
  }

  /// Pushes a picture of the room.
  @discardableResult
  func pushRoom(padding: Int? = nil, time: UInt64? = nil) -> GstFlowReturn {
    let picture = Room.picture(stream.frameFormat, padding: padding ?? 0)
    return unsafe push(makeBuffer(picture, hasMeta: padding != nil, time: time))
  }

  /// Pushes a picture of the room on another thread.
  func pushRoomElsewhere(time: UInt64? = nil) -> HelperThread<GstFlowReturn> {
    let filter = Borrowed(self)
    return HelperThread { filter.value.pushRoom(time: time) }
  }

  /// Takes the next output buffer, if there is one.
  ///
  /// The caller owns it.
  func pullBuffer() -> UnsafeMutablePointer<GstBuffer>? {
    start()
    return unsafe gst_harness_try_pull(harness)
  }

  /// Pushes a buffer, takes ownership of it, and returns the output, which the caller owns.
  func output(
    of buffer: UnsafeMutablePointer<GstBuffer>
  ) throws -> UnsafeMutablePointer<GstBuffer> {
    let flow = unsafe push(buffer)
    try #require(flow == GST_FLOW_OK, "\(flow == GST_FLOW_OK ? [] : messages())")
    return unsafe try #require(pullBuffer())
  }

  /// Pushes a buffer, takes ownership of it, and returns the output picture.
  func process(_ buffer: UnsafeMutablePointer<GstBuffer>) throws -> TestPicture {
    let output = unsafe try output(of: buffer)
    defer { unsafe GStreamer.unrefMini(output) }
    return unsafe try stream.picture(in: output)
  }

  /// Takes the next output picture, if there is one.
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

  /// Returns the negotiated output format.
  func outputFormat() throws -> PixelFormat {
    let caps = try outputCaps()
    return try #require(
      PixelFormat.allCases.first { caps.contains("format=(string)\($0.name)") }, "\(caps)")
  }

  /// Takes the next output picture in the negotiated format, if there is one.
  func pullPlanes() throws -> TestPlanes? {
    guard let buffer = unsafe pullBuffer() else { return nil }
    defer { unsafe GStreamer.unrefMini(buffer) }
    let format = stream.frameFormat
    let output = try StreamFormat(outputFormat(), width: format.width, height: format.height)
    return unsafe try output.planes(in: buffer, of: format)
  }

  /// Pushes a picture of the room and returns the output in the negotiated format.
  func processToPlanes(padding: Int? = nil) throws -> TestPlanes {
    try #require(pushRoom(padding: padding) == GST_FLOW_OK)
    return try #require(try pullPlanes())
  }

  /// Pushes a picture of the room and returns the output as NV12.
  func process(padding: Int? = nil, time: UInt64? = nil) throws -> TestPicture {
    let picture = Room.picture(stream.frameFormat, padding: padding ?? 0)
    return unsafe try process(makeBuffer(picture, hasMeta: padding != nil, time: time))
  }

  /// Calls `body` a number of times while another thread changes the settings.
  ///
  /// Even on a slow machine, there is at least one change before each call.
  func process(
    _ times: Int, whileChanging change: @escaping @Sendable (inout Settings, Int) -> Void,
    _ body: () throws -> Void
  ) throws {
    let settings = object.settings
    let changes = Monitor((count: 0, isDone: false))
    let changer = HelperThread {
      while !changes.current.isDone {
        settings.withLock { change(&$0, changes.current.count) }
        changes.change { $0.count += 1 }
      }
    }
    defer {
      changes.change { $0.isDone = true }
      changer.join()
    }
    for index in 0..<times {
      changes.wait { $0.count > index ? () : nil }
      try body()
    }
  }

  /// Pushes pictures of the room until the output meets `condition`.
  ///
  /// - Returns: all output pictures, of which the last one meets the condition.
  @discardableResult
  func process(until condition: () throws -> Bool) throws -> [TestPicture] {
    var outputs: [TestPicture] = []
    try Patience.wait(until: {
      outputs.append(try process())
      return try condition()
    })
    return outputs
  }

  /// Pushes pictures of the room until there are errors or warnings.
  ///
  /// - Returns: the messages and the output pictures.
  @discardableResult
  func processUntilMessages() throws -> (messages: [BusMessage], outputs: [TestPicture]) {
    var messages: [BusMessage] = []
    let outputs = try process(until: {
      messages += self.messages()
      return !messages.isEmpty
    })
    return (messages, outputs)
  }

  /// Sends an event upstream, as a sink does, and takes ownership of it.
  @discardableResult
  func sendUpstream(_ event: UnsafeMutablePointer<GstEvent>) -> Bool {
    start()
    return unsafe gst_harness_push_upstream_event(harness, event) != 0
  }

  /// Reports from downstream the lateness of a frame in nanoseconds of running time.
  func report(lateness: Int64, ofFrameAt time: UInt64) {
    if let event = unsafe gst_event_new_qos(
      GST_QOS_TYPE_UNDERFLOW, 1.5, GstClockTimeDiff(lateness), GstClockTime(time))
    {
      unsafe sendUpstream(event)
    }
  }

  /// Takes all messages of a kind off the bus and returns their structures as text.
  ///
  /// All other messages are dropped.
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

  /// Takes the errors and warnings that the element has posted.
  func messages() -> [BusMessage] {
    unsafe BusMessage.takeAll(from: bus)
  }

  /// Returns a number in `stats`.
  func statistic(_ name: String) throws -> UInt64 { try statistics([name])[0] }

  /// Returns several numbers in `stats`, all from the same moment.
  func statistics(_ names: [String]) throws -> [UInt64] {
    let structure = unsafe try #require(makeStats())
    defer { unsafe gst_structure_free(structure) }
    return try names.map { name in
      var value = guint64(0)
      try #require(unsafe gst_structure_get_uint64(structure, name, &value) != 0)
      return UInt64(value)
    }
  }

  /// Returns a fraction in `stats`.
  func statisticFraction(_ name: String) throws -> Double {
    unsafe try statistic(name) { unsafe g_value_get_double($0) }
  }

  /// Returns a flag in `stats`.
  func statisticFlag(_ name: String) throws -> Bool {
    unsafe try statistic(name) { unsafe g_value_get_boolean($0) != 0 }
  }

  /// Returns a string in `stats`.
  func statisticString(_ name: String) throws -> String {
    unsafe try statistic(name) { unsafe String(cString: g_value_get_string($0)) }
  }

  private func statistic<Value>(
    _ name: String, _ read: (UnsafePointer<GValue>) -> Value
  ) throws -> Value {
    let structure = unsafe try #require(makeStats())
    defer { unsafe gst_structure_free(structure) }
    return unsafe read(try #require(gst_structure_get_value(structure, name)))
  }

  private func makeStats() -> UnsafeMutablePointer<GstStructure>? {
    var value = GValue()
    _ = unsafe g_value_init(&value, gst_structure_get_type())
    unsafe g_object_get_property(UnsafeMutablePointer(OpaquePointer(element)), "stats", &value)
    defer { unsafe g_value_unset(&value) }
    return unsafe g_value_dup_boxed(&value)?.assumingMemoryBound(to: GstStructure.self)
  }
}

extension [String: String] {
  /// Returns the properties of both dictionaries, with priority for `others`.
  func with(_ others: Self) -> Self { merging(others) { _, other in other } }
}
