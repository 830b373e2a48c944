import CGStreamer
import CGStreamerCheck
import Glibc
import TestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// Start, stop, flush, seek and disposal.
@Suite struct LifecycleTests {
  /// Makes an endless pipeline: noise without a person, the filter, and a sink that drops frames.
  ///
  /// With `effect=matte` all output is black, so any other pixel shows the room.
  private func makePipeline() throws -> RunningPipeline {
    try RunningPipeline(
      "videotestsrc pattern=snow ! \(try StreamFormat(width: 160, height: 90).caps) ! "
        + "vbgfilter name=filter model=good effect=matte ! "
        + "appsink name=sink sync=false max-buffers=2 drop=true")
  }

  /// Changes the pipeline's state and waits for the end of the change.
  private func change(_ pipeline: RunningPipeline, to state: GstState) -> Bool {
    guard pipeline.change(to: state) else { return false }
    return unsafe gst_element_get_state(pipeline.pipeline, nil, nil, GstClockTime(20_000_000_000))
      == GST_STATE_CHANGE_SUCCESS
  }

  /// Expects that the next output frame is black.
  private func expectBlack(_ pipeline: RunningPipeline) throws {
    let buffer = unsafe try #require(try pipeline.pull())
    defer { unsafe GStreamer.unrefMini(buffer) }
    let picture = unsafe try StreamFormat(width: 160, height: 90).picture(in: buffer)
    #expect((0..<160 * 90).allSatisfy { picture.luma($0 % 160, $0 / 160) == 16 })
  }

  /// Lets the network continue on another thread as soon as the filter begins to stop.
  ///
  /// The thread returns false if the filter does not stop.
  private func releaseNetworkOnceItStops(_ pipeline: RunningPipeline) throws -> HelperThread<Bool> {
    // The thread takes ownership of the reference.
    let address = unsafe UInt(
      bitPattern: gst_element_get_static_pad(try pipeline.element("filter"), "sink"))
    return HelperThread { [models = pipeline.models] in
      guard let pad = unsafe UnsafeMutablePointer<GstPad>(bitPattern: address) else { return false }
      defer { unsafe GStreamer.unref(pad) }
      let stops: Void? = try? Patience.wait { unsafe gst_pad_is_active(pad) == 0 }
      models.change("good") { $0.stuck = [] }
      return stops != nil
    }
  }

  @Test func startsAndStopsAnyNumberOfTimes() throws {
    let pipeline = try makePipeline()
    for round in 0..<12 {
      #expect(change(pipeline, to: GST_STATE_PLAYING))
      for _ in 0..<3 { try expectBlack(pipeline) }
      let states = [GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED]
      #expect(change(pipeline, to: states[round % 3]))
    }
    #expect(change(pipeline, to: GST_STATE_NULL))
    #expect(pipeline.object.state == nil)
    #expect(pipeline.models.liveNetworks == 0)
  }

  @Test func aSegmentInBytesIsAccepted() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    _ = try filter.process(time: 0)
    try filter.sendSegment(GST_FORMAT_BYTES)
    // A critical log message from GStreamer would end the process here.
    let output = try filter.process(time: 40_000_000)
    #expect(Room.showsOnlyPerson(output))
  }

  @Test func endOfStreamDuringAnInferenceLosesNoFrame() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    _ = try filter.process()
    filter.models.change("good") { $0.stuck = [.infer] }
    let push = filter.pushRoomElsewhere()
    filter.models.waitForInference(2)
    let borrowed = Borrowed(filter)
    let end = HelperThread { unsafe borrowed.value.send(gst_event_new_eos()) }
    filter.models.change("good") { $0.stuck = [] }
    #expect(push.join() == GST_FLOW_OK)
    #expect(end.join())
    let output = try #require(try filter.pull())
    #expect(Room.showsOnlyPerson(output))
    #expect(filter.pushRoom() == GST_FLOW_EOS)
  }

  @Test func stopsWhileAnInferenceRuns() throws {
    let pipeline = try makePipeline()
    #expect(change(pipeline, to: GST_STATE_PLAYING))
    try expectBlack(pipeline)
    pipeline.models.change("good") { $0.stuck = [.infer] }
    pipeline.models.waitForInference(2)
    let helper = try releaseNetworkOnceItStops(pipeline)
    #expect(change(pipeline, to: GST_STATE_NULL))
    #expect(helper.join())
    #expect(pipeline.models.liveNetworks == 0)
  }

  /// The streaming thread does not keep waiting for a network when the stream is flushed.
  @Test func aFlushEndsTheWaitForANetwork() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    filter.models.change("good") { $0.stuck = [.compile] }
    filter.start()
    let push = filter.pushRoomElsewhere()
    filter.models.waitForCompilation(of: "good")
    #expect(unsafe filter.send(gst_event_new_flush_start()))
    #expect(push.join() == GST_FLOW_FLUSHING)
    try filter.endFlush()
    filter.models.change("good") { $0.stuck = [] }
    let output = try filter.process()
    #expect(Room.showsOnlyPerson(output))
    #expect(filter.models.compiled.count == 1)
    #expect(filter.messages().isEmpty)
  }

  /// A stop also ends the wait: no frame leaves, and the network is discarded.
  @Test func aStopEndsTheWaitForANetwork() throws {
    let pipeline = try makePipeline()
    let models = pipeline.models
    models.change("good") { $0.stuck = [.compile] }
    let result = unsafe gst_element_set_state(pipeline.pipeline, GST_STATE_PLAYING)
    #expect(result == GST_STATE_CHANGE_ASYNC)
    models.waitForCompilation(of: "good")
    let helper = try releaseNetworkOnceItStops(pipeline)
    #expect(change(pipeline, to: GST_STATE_NULL))
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
    filter.object.interrupt()
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
      let buffer = unsafe filter.makeBuffer(time: 3_600_000_000_000)
      unsafe gst_buffer_set_flags(buffer, GST_BUFFER_FLAG_DISCONT)
      _ = unsafe try filter.process(buffer)
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
    _ = try filter.process(time: 10 * second)
    let before = filter.models.timesForgotten
    let time = 10 * second &+ UInt64(bitPattern: Int64(milliseconds) * 1_000_000)
    let buffer = unsafe filter.makeBuffer(time: time)
    unsafe gst_buffer_set_flags(buffer, GST_BUFFER_FLAG_DISCONT)
    _ = unsafe try filter.process(buffer)
    #expect(filter.models.timesForgotten == before + times)
  }

  @Test func nothingOutlivesTheElement() throws {
    weak var object: VBGFilterElement?
    weak var state: ElementState?
    weak var models: FakeModels?
    // GObject clears the pointer when it destroys the element.
    let element = UnsafeMutablePointer<gpointer?>.allocate(capacity: 1)
    defer { unsafe element.deallocate() }
    do {
      let filter = try TestFilter(["effect": "color"])
      object = filter.object
      models = filter.models
      unsafe element.initialize(to: gpointer(filter.element))
      unsafe g_object_add_weak_pointer(UnsafeMutablePointer(OpaquePointer(filter.element)), element)
      for index in 0..<5 {
        filter.set("model", "network \(index)")
        _ = try filter.process()
      }
      state = filter.object.state
      #expect(object != nil && state != nil)
    }
    #expect(unsafe element.pointee == nil)
    #expect(object == nil)
    #expect(state == nil)
    #expect(models == nil)
  }
}
