import CGStreamer
import Synchronization
import TestSupport
import Testing

@testable import GstVideoFilterKit

/// What becomes of an analysis when the stream does not wait for it.
@Suite(.serialized) struct AnalysisLifeTests {
  /// Pushes frames until an analysis is held up.
  private func beginAnalysis(_ element: TestElement) throws {
    Watched.gate.change { $0.isOpen = false }
    let deadline = g_get_monotonic_time() + 10_000_000
    while Watched.gate.withLock({ $0.waiting == 0 }) {
      _ = try element.process()
      try #require(g_get_monotonic_time() < deadline, "waited in vain")
      sleep(milliseconds: 1)
    }
  }

  /// Lets analyses go on, a moment after somebody began to wait for them.
  private func openLater() -> HelperThread<Bool> {
    HelperThread {
      sleep(milliseconds: 20)
      Watched.gate.change { $0.isOpen = true }
      return true
    }
  }

  @Test func theElementEndsDuringAnAnalysis() throws {
    try #require(OddPlugin.isReady)
    for name in ["kit-watched", "kit-odd-switcher"] {
      var element: TestElement? = try TestElement(name)
      if name == "kit-odd-switcher" { element?.set("filter", "kit-watched") }
      try element?.start(width: 32, height: 16)
      if let element { try beginAnalysis(element) }
      let opener = openLater()
      element = nil
      #expect(Watched.lives.load(ordering: .relaxed) == 0)
      #expect(opener.join())
    }
  }

  @Test func aNewSizeComesDuringAnAnalysis() throws {
    try #require(OddPlugin.isReady)
    let element = try TestElement("kit-watched")
    let seen = Mutex<[Watched.Sizes]>([])
    #expect(
      unsafe Watched.observe(UnsafeMutableRawPointer(element.element)) { sizes, _ in
        seen.withLock { $0.append(sizes) }
      })
    for (width, height) in [(32, 16), (1, 1), (300, 7), (3, 31)] {
      try element.start("NV12", width: width, height: height)
      try beginAnalysis(element)
      // The stream does not wait: the analysis goes on only after it.
      try element.start("RGBA", width: width + 1, height: height)
      _ = try element.process()
      Watched.gate.change { $0.isOpen = true }
      let deadline = g_get_monotonic_time() + 10_000_000
      while !seen.withLock({ $0.contains { $0.picture == width + 1 } }) {
        _ = try element.process()
        try #require(g_get_monotonic_time() < deadline, "waited in vain")
        sleep(milliseconds: 1)
      }
    }
    // Whoever is shown a picture was set up for its stream, and is the same all the time.
    seen.withLock { seen in
      #expect(seen.allSatisfy { $0.picture == $0.stream })
      #expect(seen.map(\.count) == Array(1...seen.count))
    }
  }

  @Test func aFlushAndTheEndComeDuringAnAnalysis() throws {
    try #require(OddPlugin.isReady)
    let element = try TestElement("kit-watched")
    try element.start()
    try beginAnalysis(element)
    unsafe element.push(gst_event_new_flush_start())
    unsafe element.push(gst_event_new_flush_stop(1))
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
    unsafe element.push(gst_event_new_segment(&segment))
    _ = try element.process()
    unsafe element.push(gst_event_new_eos())
    let opener = openLater()
    unsafe gst_element_set_state(element.element, GST_STATE_READY)
    #expect(Watched.lives.load(ordering: .relaxed) == 0)
    #expect(opener.join())
  }

  @Test func whoIsToldAResultMayStopTheElement() throws {
    let element = try TestElement("kit-mean")
    let target = unsafe UnsafeMutableRawPointer(element.element)
    let address = UInt(bitPattern: target)
    let told = Monitor(0)
    #expect(
      unsafe SlowMean.observe(target) { _, _ in
        let element = unsafe UnsafeMutablePointer<GstElement>(bitPattern: address)
        unsafe gst_element_set_state(element, GST_STATE_NULL)
        told.change { $0 += 1 }
      })
    for round in 1...5 {
      unsafe gst_element_set_state(element.element, GST_STATE_PLAYING)
      try element.start(width: 8 * round, height: 8)
      var flow = GST_FLOW_OK
      let deadline = g_get_monotonic_time() + 10_000_000
      while flow == GST_FLOW_OK, g_get_monotonic_time() < deadline {
        flow = try element.push()
        _ = element.pull()
        sleep(milliseconds: 1)
      }
      #expect(flow == GST_FLOW_FLUSHING)
      told.wait { $0 == round ? () : nil }
    }
  }

  @Test func oneThatCannotBeSetUpEndsTheStream() throws {
    try #require(OddPlugin.isReady)
    let element = try TestElement("kit-watched", ["refused": "true"])
    try element.start()
    let deadline = g_get_monotonic_time() + 10_000_000
    var flow = GST_FLOW_OK
    while flow == GST_FLOW_OK, g_get_monotonic_time() < deadline {
      flow = try element.push()
      _ = element.pull()
      sleep(milliseconds: 1)
    }
    #expect(flow == GST_FLOW_ERROR)
    #expect(element.troubles() == ["error: kit-watched: nothing to look with"])
    // It starts anew once that is mended.
    unsafe gst_element_set_state(element.element, GST_STATE_READY)
    element.set("refused", "false")
    unsafe gst_element_set_state(element.element, GST_STATE_PLAYING)
    try element.start()
    #expect(try element.push() == GST_FLOW_OK)
  }

  @Test func oneThatCannotBeSetUpWhilePlayingIsAWarning() throws {
    try #require(OddPlugin.isReady)
    let element = try TestElement("kit-odd-switcher", ["filter": "kit-underscored"])
    element.set("kit-watched::refused", "true")
    try element.start()
    #expect(try element.process(1)[0] == 2)
    element.set("filter", "kit-watched")
    let deadline = g_get_monotonic_time() + 10_000_000
    while element.get("filter") == "kit-watched", g_get_monotonic_time() < deadline {
      try #require(try element.process(1)[0] == 2)
    }
    #expect(element.get("filter") == "kit-underscored")
    let messages = element.troubles()
    #expect(messages == ["warning: kit-watched: nothing to look with; the choice stays as it was"])
  }

  @Test func everythingIsSetFromManyThreadsMeanwhile() throws {
    try #require(TestPlugin.isReady)
    let element = try TestElement("kit-switcher", ["filter": "kit-mean,kit-brighter"])
    try element.start()
    let isOver = Flag()
    let names = [
      "kit-brighter", "kit-mean,kit-doubler", "", "kit-nonsense", "kit-color,kit-brighter,kit-mean",
    ]
    let borrowed = Borrowed(element)
    let helpers = (0..<3).map { worker in
      HelperThread {
        let element = borrowed.value
        var round = 0
        while !isOver.value.load(ordering: .relaxed) {
          round += 1
          switch worker {
          case 0: element.set("filter", names[round % names.count])
          case 1:
            element.set("kit-brighter::label", "label \(round)")
            element.set("kit-brighter::amount", "\(round % 100)")
            element.set("kit-mean::delay", "\(round % 3)")
            element.set("kit-doubler::active", round % 2 == 0 ? "true" : "false")
          default:
            _ = element.get("filter") + element.get("current") + element.get("filters")
            element.set("active", round % 5 == 0 ? "false" : "true")
          }
          sleep(milliseconds: 1)
        }
        return round
      }
    }
    for round in 0..<200 {
      if round % 50 == 49 {
        try element.start(round % 100 == 99 ? "NV12" : "I420", width: 3 + round % 7, height: 5)
      }
      #expect(try element.push() == GST_FLOW_OK)
      #expect(element.pull() != nil)
      if round % 10 == 0 { sleep(milliseconds: 1) }
    }
    isOver.value.store(true, ordering: .relaxed)
    for helper in helpers { #expect(helper.join() > 0) }
  }
}

/// Tells threads of their end.
private final class Flag: Sendable {
  let value = Atomic(false)
}
