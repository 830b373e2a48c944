import CGStreamer
import CGStreamerCheck
import Glibc
import TestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// Start, stop, flush, seek and disposal.
@Suite struct LifecycleTests {
  @Test func startsAndStopsAnyNumberOfTimes() throws {
    let pipeline = try TestPipeline()
    for round in 0..<12 {
      #expect(pipeline.change(to: GST_STATE_PLAYING))
      for _ in 0..<3 { #expect(try pipeline.pullGreatestLuma() == 16) }
      let states = [GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED]
      #expect(pipeline.change(to: states[round % 3]))
    }
    #expect(pipeline.change(to: GST_STATE_NULL))
    #expect(pipeline.object.stream == nil)
    #expect(pipeline.models.liveNetworks == 0)
  }

  @Test func aSegmentInBytesIsAccepted() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    _ = try filter.process(time: 0)
    try filter.sendSegment(GST_FORMAT_BYTES)
    // A critical log message from GStreamer would end the process here.
    let output = try filter.process(time: 40_000_000)
    #expect(Room.visiblePart(of: output) == 0)
    #expect(Room.showsPerson(output))
  }

  @Test func endOfStreamDuringAnInferenceLosesNoFrame() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    _ = try filter.process()
    filter.models.change("good") { $0.stuck = [.infer] }
    let borrowed = Borrowed(filter)
    let push = HelperThread { borrowed.value.pushRoom() }
    filter.models.waitForInference(2)
    let end = HelperThread { unsafe borrowed.value.send(gst_event_new_eos()) }
    filter.models.change("good") { $0.stuck = [] }
    #expect(push.join() == GST_FLOW_OK)
    #expect(end.join())
    let output = try #require(try filter.pull())
    #expect(Room.visiblePart(of: output) == 0)
    #expect(Room.showsPerson(output))
    #expect(filter.pushRoom() == GST_FLOW_EOS)
  }

  @Test func stopsWhileAnInferenceRuns() throws {
    let pipeline = try TestPipeline()
    #expect(pipeline.change(to: GST_STATE_PLAYING))
    _ = try pipeline.pullGreatestLuma()
    pipeline.models.change("good") { $0.stuck = [.infer] }
    pipeline.models.waitForInference(2)
    let models = pipeline.models
    let helper = try pipeline.onceItStops { models.change("good") { $0.stuck = [] } }
    #expect(pipeline.change(to: GST_STATE_NULL))
    #expect(helper.join())
    #expect(models.liveNetworks == 0)
  }

  /// The streaming thread does not keep waiting for a network when the stream is flushed.
  @Test func aFlushEndsTheWaitForANetwork() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    filter.models.change("good") { $0.stuck = [.compile] }
    filter.start()
    let pusher = Borrowed(filter)
    let push = HelperThread { pusher.value.pushRoom() }
    filter.models.waitForCompilation(of: "good")
    #expect(unsafe filter.send(gst_event_new_flush_start()))
    #expect(push.join() == GST_FLOW_FLUSHING)
    try filter.endFlush()
    filter.models.change("good") { $0.stuck = [] }
    let output = try filter.process()
    #expect(Room.visiblePart(of: output) == 0)
    #expect(Room.showsPerson(output))
    #expect(filter.models.compiled.count == 1)
    #expect(filter.messages().isEmpty)
  }

  /// A stop also ends the wait: no frame leaves, and the network is discarded.
  @Test func aStopEndsTheWaitForANetwork() throws {
    let pipeline = try TestPipeline()
    let models = pipeline.models
    models.change("good") { $0.stuck = [.compile] }
    let result = unsafe gst_element_set_state(pipeline.pipeline, GST_STATE_PLAYING)
    #expect(result == GST_STATE_CHANGE_ASYNC)
    models.waitForCompilation(of: "good")
    let helper = try pipeline.onceItStops { models.change("good") { $0.stuck = [] } }
    #expect(pipeline.change(to: GST_STATE_NULL))
    #expect(helper.join())
    #expect(models.inferences == 0)
    #expect(models.liveNetworks == 0)
  }

  /// A flush may end, and a frame arrive, after a stop has begun but before the pads deactivate.
  @Test func theEndOfAFlushDoesNotUndoAStop() throws {
    let filter = try TestFilter(["effect": "color"])
    filter.models.change("good") { $0.stuck = [.compile] }
    filter.start()
    #expect(unsafe filter.send(gst_event_new_flush_start()))
    // A change to READY starts with this call.
    filter.object.streamWait.stop()
    try filter.endFlush()
    let borrowed = Borrowed(filter)
    let result = Monitor<GstFlowReturn?>(nil)
    let push = HelperThread {
      let flow = borrowed.value.pushRoom()
      result.change { $0 = flow }
    }
    // The network becomes available only after the frame returns. If it does not return, the test
    // fails after a minute.
    #expect(result.wait(upTo: .seconds(60)) { $0 } == GST_FLOW_FLUSHING)
    filter.models.change("good") { $0.stuck = [] }
    push.join()
  }

  @Test(arguments: ["flush", "discont", "segment"])
  func aBreakInTheStreamForgetsThePast(_ kind: String) throws {
    let filter = try TestFilter(["effect": "color"])
    _ = try filter.process()
    _ = try filter.process()
    let before = filter.models.timesForgotten
    switch kind {
    case "flush":
      try filter.flush()
      _ = try filter.process()
    case "segment":
      try filter.sendSegment()
      _ = try filter.process()
    default:
      let buffer = unsafe filter.stream.makeBuffer(
        Room.picture(filter.stream.frameFormat), hasMeta: false)
      unsafe buffer.pointee.mini_object.flags |= guint(GST_BUFFER_FLAG_DISCONT.rawValue)
      unsafe buffer.pointee.pts = 3_600_000_000_000
      #expect(unsafe filter.push(buffer) == GST_FLOW_OK)
    }
    #expect(filter.models.timesForgotten == before + 1)
  }

  /// A gap as from a leaky queue is harmless.
  ///
  /// Only a long gap or a step back counts as a break.
  @Test(arguments: [(66, 0), (900, 0), (1500, 1), (-10, 1)])
  func aDroppedFrameIsNotABreak(milliseconds: Int, times: Int) throws {
    try checkDroppedFrame(after: milliseconds, times: times)
  }

  @Test(
    "keeps earlier frames after a gap due to slow inferences of a live stream",
    arguments: [(2900, true, 0), (3100, true, 1), (2900, false, 1)])
  func aGapDueToOwnWorkIsNotABreak(milliseconds: Int, isLive: Bool, times: Int) throws {
    try checkDroppedFrame(after: milliseconds, times: times, secondsOfWork: 2, isLive: isLive)
  }

  private func checkDroppedFrame(
    after milliseconds: Int, times: Int, secondsOfWork: UInt64 = 0, isLive: Bool = true
  ) throws {
    let second: UInt64 = 1_000_000_000
    let clock = TestClock()
    let filter = try TestFilter(["effect": "color"])
    filter.object.clock = clock.clock
    filter.models.change("good") { $0.work = { clock.compute(secondsOfWork * second) } }
    filter.start()
    unsafe gst_harness_set_live(filter.harness, isLive ? 1 : 0)
    func push(at time: UInt64, isDiscontinuous: Bool) throws {
      let buffer = unsafe filter.stream.makeBuffer(
        Room.picture(filter.stream.frameFormat), hasMeta: false)
      unsafe buffer.pointee.pts = GstClockTime(time)
      if isDiscontinuous {
        unsafe buffer.pointee.mini_object.flags |= guint(GST_BUFFER_FLAG_DISCONT.rawValue)
      }
      #expect(unsafe filter.push(buffer) == GST_FLOW_OK)
      _ = try filter.pull()
    }
    try push(at: 10 * second, isDiscontinuous: false)
    let before = filter.models.timesForgotten
    try push(
      at: 10 * second &+ UInt64(bitPattern: Int64(milliseconds) * 1_000_000),
      isDiscontinuous: true)
    #expect(filter.models.timesForgotten == before + times)
  }

  @Test func nothingOutlivesTheElement() throws {
    weak var object: VBGFilterElement?
    weak var stream: VBGFilterStream?
    weak var models: FakeModels?
    // GObject clears the pointer when it destroys the element.
    let element = UnsafeMutablePointer<gpointer?>.allocate(capacity: 1)
    defer { unsafe element.deallocate() }
    do {
      let filter = try TestFilter(["effect": "color"])
      object = filter.object
      models = filter.models
      unsafe element.initialize(to: gpointer(filter.element))
      unsafe g_object_add_weak_pointer(
        UnsafeMutablePointer(OpaquePointer(filter.element)), element)
      for index in 0..<5 {
        filter.set("model", "network \(index)")
        _ = try filter.process()
      }
      stream = filter.object.stream
      #expect(object != nil && stream != nil)
    }
    #expect(unsafe element.pointee == nil)
    #expect(object == nil)
    #expect(stream == nil)
    #expect(models == nil)
  }
}
