import CGStreamer
import Synchronization
import TestSupport
import Testing
import Threads

@testable import GstVideoFilterKit

/// Analyses that run while the stream continues.
@Suite(.serialized) struct AnalysisLifeTests {
  /// Pushes frames until the gate blocks an analysis.
  private func beginAnalysis(_ element: TestElement) throws {
    Watched.gate.close()
    try Patience.wait {
      _ = try element.process()
      return Watched.gate.holdsSomebody
    }
  }

  /// Opens the gate as soon as the element begins to stop, because the stop waits for analyses.
  private func openDuringTheStop(of element: TestElement) throws -> HelperThread<Bool> {
    let pad = Borrowed(try element.pad("sink"))
    return HelperThread {
      let stops: Void? = try? Patience.wait { !pad.value.isActive }
      Watched.gate.open()
      return stops != nil
    }
  }

  private func expectLives(_ live: Int) {
    #expect(Watched.record.withLock { $0.live } == live)
  }

  @Test func theElementEndsDuringAnAnalysis() throws {
    try #require(OddPlugin.isReady)
    for name in ["kit-watched", "kit-odd-switcher"] {
      var element: TestElement? = try TestElement(name)
      if name == "kit-odd-switcher" { element?.set("filter", "kit-watched") }
      try element?.start(width: 32, height: 16)
      if let element { try beginAnalysis(element) }
      let opener = try openDuringTheStop(of: #require(element))
      element = nil
      expectLives(0)
      #expect(opener.join())
    }
  }

  @Test func noFrameWaitsForAnAnalysis() throws {
    try #require(OddPlugin.isReady)
    let element = try TestElement("kit-watched")
    let seen = Monitor(0)
    let target = unsafe UnsafeMutableRawPointer(element.element)
    #expect(unsafe Watched.observe(target) { _, _ in seen.change { $0 += 1 } })
    try element.start(width: 32, height: 16)
    try beginAnalysis(element)
    for _ in 0..<60 { #expect(try element.process(50).allSatisfy { $0 == 50 }) }
    #expect(Watched.gate.holdsSomebody)
    // The analyzer skips those frames and does not process them later.
    Watched.gate.open()
    seen.wait { $0 > 0 ? () : nil }
    unsafe gst_element_set_state(element.element, GST_STATE_READY)
    #expect(seen.withLock { $0 } == 1)
  }

  @Test func aNewSizeComesDuringAnAnalysis() throws {
    try #require(OddPlugin.isReady)
    let element = try TestElement("kit-watched")
    let seen = Monitor<[Watched.Sizes]>([])
    #expect(
      unsafe Watched.observe(UnsafeMutableRawPointer(element.element)) { sizes, _ in
        seen.withLock { $0.append(sizes) }
      })
    for (width, height) in [(32, 16), (1, 1), (300, 7), (3, 31)] {
      try element.start("NV12", width: width, height: height)
      try beginAnalysis(element)
      // The stream does not wait: the gate still blocks the analysis.
      try element.start("RGBA", width: width + 1, height: height)
      _ = try element.process()
      #expect(Watched.gate.holdsSomebody)
      Watched.gate.open()
      try Patience.wait {
        _ = try element.process()
        return seen.withLock { $0.contains { $0.picture == width + 1 } }
      }
    }
    // Every analyzer was set up for the stream of its picture, and stays the same throughout.
    seen.withLock { seen in
      #expect(seen.allSatisfy { $0.picture == $0.stream })
      #expect(seen.map(\.count) == Array(1...seen.count))
    }
  }

  @Test("lets an observer stop the element when it receives a result")
  func letsObserverStopElement() throws {
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
      #expect(try element.pushUntilItFails() == GST_FLOW_FLUSHING)
      told.wait { $0 == round ? () : nil }
    }
  }

  @Test(arguments: ["kit-watched", "kit-odd-switcher"])
  func aStopDoesNotWaitForTheSetUp(_ name: String) throws {
    try #require(OddPlugin.isReady)
    let element = try TestElement(name)
    if name == "kit-odd-switcher" { element.set("filter", "kit-watched") }
    Watched.record.change { $0 = (live: 0, tearDowns: 0) }
    Watched.setUpGate.close()
    try element.start(width: 4)
    #expect(Watched.setUpGate.waitForArrival())
    // Frames do not wait either.
    #expect(try element.process(9)[0] == 9)
    unsafe gst_element_set_state(element.element, GST_STATE_READY)
    #expect(Watched.setUpGate.holdsSomebody)
    // The next stream has its own analyzer.
    Watched.setUpGate.admit()
    unsafe gst_element_set_state(element.element, GST_STATE_PLAYING)
    try element.start(width: 6)
    try Patience.wait {
      _ = try element.process()
      return element.messages(GST_MESSAGE_ELEMENT).contains { $0.contains("picture=(int)6") }
    }
    #expect(Watched.setUpGate.holdsSomebody)
    expectLives(1)
    Watched.setUpGate.open()
    Watched.record.wait { $0.tearDowns == 1 ? () : nil }
    expectLives(1)
  }

  @Test("ends the stream if the set-up fails, and starts again after a fix")
  func endsStreamIfSetUpFails() throws {
    try #require(OddPlugin.isReady)
    let element = try TestElement("kit-watched", ["refused": "true"])
    try element.start()
    #expect(try element.pushUntilItFails() == GST_FLOW_ERROR)
    #expect(element.troubles() == ["error: kit-watched: nothing to look with"])
    // The element starts again after the fix.
    unsafe gst_element_set_state(element.element, GST_STATE_READY)
    element.set("refused", "false")
    unsafe gst_element_set_state(element.element, GST_STATE_PLAYING)
    try element.start()
    #expect(try element.push() == GST_FLOW_OK)
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

/// A flag that ends threads.
private final class Flag: Sendable {
  let value = Atomic(false)
}
