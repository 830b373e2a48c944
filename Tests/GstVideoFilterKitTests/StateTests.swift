import CGStreamer
import TestSupport
import Testing

@testable import GstVideoFilterKit

/// State changes, events and renegotiation at critical moments.
@Suite(.serialized) struct StateTests {
  @Test func aChildCannotChangeStateAlone() throws {
    let element = try TestElement("kit-switcher", ["filter": "kit-brighter"])
    try element.start()
    #expect(try element.process(100)[0] == 110)
    let child = unsafe try #require(
      gst_child_proxy_get_child_by_name(OpaquePointer(element.element), "kit-brighter"))
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(child)) }
    let childElement = unsafe UnsafeMutableRawPointer(child)
      .assumingMemoryBound(to: GstElement.self)
    // The switcher uses the child's runner. If the child changed state alone, it would reset this
    // runner while the stream uses it.
    #expect(
      unsafe gst_element_set_state(childElement, GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE)
    #expect(try element.process(100)[0] == 110)
    unsafe gst_element_set_state(childElement, GST_STATE_NULL)
    #expect(try element.process(100)[0] == 110)
  }

  @Test func aChildOutlivesItsParent() throws {
    var element: TestElement? = try TestElement("kit-switcher", ["filter": "kit-brighter"])
    try element?.start()
    _ = try element?.process()
    let target = unsafe try #require(element?.element)
    let child = unsafe try #require(gst_child_proxy_get_child_by_index(OpaquePointer(target), 1))
    element = nil
    unsafe gst_util_set_object_arg(child, "amount", "3")
    unsafe g_object_unref(UnsafeMutableRawPointer(child))
  }

  @Test func aWrongChoiceBeforeTheFirstFrameIsReported() throws {
    let element = try TestElement("kit-switcher", ["filter": "kit-brighter"])
    unsafe gst_element_set_state(element.element, GST_STATE_PAUSED)
    element.set("filter", "kit-brigter")
    let warnings = element.messages(GST_MESSAGE_WARNING)
    #expect(warnings.first?.contains("there is no filter \"kit-brigter\"") == true, "\(warnings)")
    try element.start()
    #expect(try element.process(100)[0] == 110)
    unsafe gst_element_set_state(element.element, GST_STATE_READY)
    // The refused choice does not prevent the next start.
    #expect(
      unsafe gst_element_set_state(element.element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE)
  }

  @Test func changesOfTheFiltersInUseAreNotified() throws {
    try #require(TestPlugin.isReady)
    let element = try TestElement("kit-switcher", ["filter": "kit-doubler", "active": "false"])
    element.set("kit-brighter::label", "refused")
    _ = unsafe gst_element_add_property_notify_watch(element.element, "current", 1)
    _ = unsafe gst_element_add_property_notify_watch(element.element, "filter", 1)
    try element.start()
    _ = try element.process()
    #expect(element.notifications() == [])
    element.set("active", "true")
    _ = try element.process()
    #expect(element.notifications() == ["current=kit-doubler"])
    element.set("active", "false")
    _ = try element.process()
    element.set("active", "true")
    _ = try element.process()
    #expect(element.notifications() == ["current=", "current=kit-doubler"])
    element.set("filter", "kit-brighter")
    #expect(element.notifications() == ["filter=kit-brighter"])
    // The set-up fails, so the element reverts the choice.
    let notified = try Patience.wait {
      _ = try element.process()
      let notified = element.notifications()
      return notified.isEmpty ? nil : notified
    }
    #expect(notified == ["filter=kit-doubler"])
  }

  @Test func aSegmentInBytesIsAccepted() throws {
    let element = try TestElement("kit-brighter")
    try element.start()
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, GST_FORMAT_BYTES)
    unsafe element.push(gst_event_new_segment(&segment))
    // A critical message from GStreamer would end the process here.
    #expect(try element.process(100)[0] == 110)
  }

  @Test(arguments: ["interlace-mode=fields", "views=2, multiview-mode=left"])
  func capsWithFieldsOrSeveralViewsAreRefused(_ extra: String) throws {
    for active in ["true", "false"] {
      let element = try TestElement("kit-throws", ["then": "black", "active": active])
      try element.start("NV12", width: 16, height: 16)
      _ = try element.process()
      let caps = unsafe gst_caps_from_string(
        "video/x-raw, format=NV12, width=16, height=16, framerate=30/1, \(extra)")
      unsafe element.push(gst_event_new_caps(caps))
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(caps)))
      #expect(try element.push() == GST_FLOW_NOT_NEGOTIATED)
      #expect(element.pull() == nil)
    }
  }

  @Test(
    "drops late frames, unless the element only analyses them",
    arguments: [("kit-mean", true), ("kit-gray", false)])
  func dropsLateFramesUnlessAnalyzing(_ name: String, _ expected: Bool) throws {
    let element = try TestElement(name)
    try element.start()
    _ = try element.process()
    element.report(tooLateBefore: 1_000_000_000)
    #expect(try element.push() == GST_FLOW_OK)
    #expect((element.pull() != nil) == expected)
  }

  @Test("lets an application stop the element when it receives a warning")
  func letsWarnedApplicationStop() throws {
    for (then, bytes) in [("black", nil), ("as-is", [1, 2, 3] as [UInt8])] {
      let element = try TestElement("kit-throws", ["then": then])
      try element.start("I420", width: 16, height: 16)
      element.stopAtTheFirstWarning()
      var flow = GST_FLOW_OK
      for _ in 0..<4 where flow == GST_FLOW_OK { flow = try element.push(bytes: bytes) }
      #expect(flow == GST_FLOW_FLUSHING)
      #expect(
        unsafe gst_element_set_state(element.element, GST_STATE_PAUSED)
          != GST_STATE_CHANGE_FAILURE)
    }
  }
}
