import CGStreamer
import Glibc
import TestSupport
import Testing

@testable import GstVBGFilter

/// A local background on a drive that does not answer, or answers late.
@Suite struct HangingBackgroundTests {
  @Test func startAndStopDoNotWaitForTheBackground() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let (filter, gate) = try held(try folder.write(StoredVideo(lumas: [90])))
      #expect(filter.tryToStart())
      #expect(gate.waitForArrival())
      unsafe gst_element_set_state(filter.element, GST_STATE_NULL)
      #expect(gate.holdsSomebody)
      gate.open()
    }
  }

  @Test func aStopDoesNotWaitForAWaitingFrame() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let (filter, gate) = try held(try folder.write(StoredVideo(lumas: [90])))
      filter.start()
      let push = filter.pushRoomElsewhere()
      filter.models.waitForCompilation(of: "good")
      #expect(gate.waitForArrival())
      unsafe gst_element_set_state(filter.element, GST_STATE_NULL)
      #expect(push.join() == GST_FLOW_FLUSHING)
      #expect(gate.holdsSomebody)
      gate.open()
    }
  }

  @Test func theFirstFrameUsesTheBackgroundThatTheStartOpened() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let path = try folder.write(StoredVideo(lumas: [90, 100, 110]))
      let (filter, gate) = try held(path)
      filter.start()
      try #require(gate.waitForArrival())
      // The element cannot open the file again.
      try #require(unsafe unlink(path) == 0)
      let push = filter.pushRoomElsewhere(time: 0)
      filter.models.waitForCompilation(of: "good")
      #expect(try filter.pull() == nil)
      gate.open()
      #expect(push.join() == GST_FLOW_OK)
      let output = try #require(try filter.pull())
      #expect(abs(output.luma(0, 0) - 90) <= 1)
      #expect(filter.messages().isEmpty)
    }
  }

  @Test("ends the stream at the first frame if a late background is broken")
  func endsStreamIfBackgroundIsBroken() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let path = folder.write("noise.mkv", [UInt8](repeating: 7, count: 4096))
      let (filter, gate) = try held(path)
      filter.start()
      try #require(gate.waitForArrival())
      gate.open()
      #expect(filter.pushRoom() == GST_FLOW_ERROR)
      #expect(try filter.pull() == nil)
      filter.messages().expectOne(.error, path)
    }
  }
}

/// Makes an element with a background that opens only when the gate opens.
///
/// Its start does not wait for the background.
private func held(_ path: String) throws -> (TestFilter, Gate) {
  let gate = Gate()
  HeldOpening.hold(at: gate)
  gate.close()
  let filter = try TestFilter(["background-path": path])
  filter.object.backgroundTimeouts.start = .milliseconds(1)
  return (filter, gate)
}
