import CGStreamer
import TestSupport
import Testing

@testable import GstVideoFilterKit

/// Events during the set-up of a filter.
@Suite(.serialized) struct SetUpTests {
  private let gate = HeldSetUp.gate

  init() throws {
    try #require(OddPlugin.isReady)
    HeldSetUp.record.change { $0 = HeldSetUp.Record() }
  }

  /// Begins a stream, and pushes a frame on another thread while the gate blocks the set-up.
  private func begin(_ element: TestElement) throws -> HelperThread<GstFlowReturn> {
    gate.close()
    try element.start()
    #expect(gate.waitForArrival())
    let borrowed = Borrowed(element)
    return HelperThread { (try? borrowed.value.push()) ?? GST_FLOW_NOT_SUPPORTED }
  }

  private func endFlush(_ element: TestElement) {
    unsafe element.push(gst_event_new_flush_stop(1))
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
    unsafe element.push(gst_event_new_segment(&segment))
  }

  /// Waits until `count` filters were torn down.
  private func waitForTearDowns(_ count: Int) {
    HeldSetUp.record.wait { $0.tearDowns >= count ? () : nil }
  }

  private func expectLives(_ live: Int) {
    HeldSetUp.record.withLock { record in
      #expect(record.live == live)
      #expect(record.clashes == 0)
    }
  }

  @Test func noFrameIsSentBeforeTheFilterIsSetUp() throws {
    let element = try TestElement("kit-held")
    let pusher = try begin(element)
    #expect(element.pull() == nil)
    gate.open()
    #expect(pusher.join() == GST_FLOW_OK)
    #expect(element.pull()?.first == 7)
    expectLives(1)
  }

  @Test(arguments: [
    ("kit-held", GST_STATE_READY), ("kit-held", GST_STATE_NULL),
    ("kit-odd-switcher", GST_STATE_NULL),
  ])
  func aStopDoesNotWaitForTheSetUp(_ name: String, _ state: GstState) throws {
    let element = try TestElement(name)
    if name != "kit-held" { element.set("filter", "kit-held") }
    let pusher = try begin(element)
    unsafe gst_element_set_state(element.element, state)
    #expect(gate.holdsSomebody)
    #expect(pusher.join() == GST_FLOW_FLUSHING)
    #expect(element.pull() == nil)
    // A set-up that is no longer needed is torn down.
    gate.open()
    waitForTearDowns(1)
    expectLives(0)
    #expect(element.troubles() == [])
  }

  @Test func aNewStreamDoesNotWaitForTheAbandonedSetUp() throws {
    let element = try TestElement("kit-held", ["level": "9"])
    let pusher = try begin(element)
    unsafe gst_element_set_state(element.element, GST_STATE_READY)
    #expect(pusher.join() == GST_FLOW_FLUSHING)
    gate.admit()
    unsafe gst_element_set_state(element.element, GST_STATE_PLAYING)
    try element.start(width: 6)
    #expect(try element.process().first == 9)
    #expect(gate.holdsSomebody)
    expectLives(1)
    gate.open()
    waitForTearDowns(1)
    // The tear-down belonged to the abandoned set-up.
    expectLives(1)
    #expect(try element.process().first == 9)
  }

  @Test func aFlushEndsTheWaitAndNotTheSetUp() throws {
    let element = try TestElement("kit-held")
    let pusher = try begin(element)
    unsafe element.push(gst_event_new_flush_start())
    #expect(pusher.join() == GST_FLOW_FLUSHING)
    #expect(gate.holdsSomebody)
    endFlush(element)
    gate.open()
    #expect(try element.process().first == 7)
    #expect(HeldSetUp.record.withLock { $0.begun } == [4])
    expectLives(1)
  }

  @Test("uses a property value that is set during the set-up")
  func usesValueSetDuringSetUp() throws {
    let element = try TestElement("kit-held", ["level": "1"])
    gate.close()
    try element.start()
    #expect(gate.waitForArrival())
    element.set("level", "2")
    // Push a frame that must not wait.
    let wait = try unsafe #require(FilterElement.behind(element.element)).wait
    wait.setFlushing(true)
    #expect(try element.push() == GST_FLOW_FLUSHING)
    wait.setFlushing(false)
    gate.open()
    #expect(try element.process().first == 2)
  }

  @Test func newSizesComeDuringTheSetUp() throws {
    let element = try TestElement("kit-held")
    gate.close()
    for width in [4, 6, 8] { try element.start(width: width) }
    #expect(gate.waitForArrival())
    gate.open()
    #expect(try element.process().first == 7)
    // Set-ups run one after the other, and outdated ones are skipped.
    #expect(HeldSetUp.record.withLock { $0.begun } == [4, 8])
    expectLives(1)
  }

  @Test func anErrorForAnEarlierSizeIsNotReported() throws {
    let element = try TestElement("kit-held", ["refused": "true"])
    gate.close()
    try element.start(width: 4)
    #expect(gate.waitForArrival())
    element.set("refused", "false")
    try element.start(width: 6)
    gate.open()
    #expect(try element.process().first == 7)
    #expect(element.troubles() == [])
    expectLives(1)
  }

  @Test func aNewSizeComesDuringASetUpNextToTheStream() throws {
    let element = try TestElement("kit-odd-switcher")
    try element.start(width: 16, height: 16)
    gate.close()
    element.set("filter", "kit-held")
    #expect(try element.process(1)[0] == 1)
    #expect(gate.waitForArrival())
    // Change the setting again before the first change has taken effect.
    element.set("filter", "kit-held,kit-underscored")
    #expect(try element.process(1)[0] == 1)
    try element.start("NV12", width: 6, height: 2)
    #expect(gate.holdsSomebody)
    gate.open()
    #expect(try element.process(1)[0] == 8)
    #expect(element.get("current").contains("kit-underscored"))
    expectLives(1)
  }

  @Test(arguments: [GST_STATE_READY, GST_STATE_NULL])
  func theEndComesDuringASetUpNextToTheStream(_ state: GstState) throws {
    let element = try TestElement("kit-odd-switcher")
    try element.start()
    gate.close()
    element.set("filter", "kit-held")
    _ = try element.process()
    #expect(gate.waitForArrival())
    unsafe element.push(gst_event_new_flush_start())
    unsafe element.push(gst_event_new_flush_stop(1))
    unsafe element.push(gst_event_new_eos())
    unsafe gst_element_set_state(element.element, state)
    #expect(gate.holdsSomebody)
    #expect(element.get("current") == "")
    gate.admit()
    unsafe gst_element_set_state(element.element, GST_STATE_PLAYING)
    // The test's own pads keep the end-of-stream flag until a flush.
    unsafe element.push(gst_event_new_flush_start())
    unsafe element.push(gst_event_new_flush_stop(1))
    try element.start(width: 8, height: 2)
    #expect(try element.process(1)[0] == 7)
    gate.open()
    waitForTearDowns(1)
    expectLives(1)
  }
}
