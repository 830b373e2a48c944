import CAllocationCounter
import CGStreamer
import Testing

@testable import GstVBGFilter

/// Frames with shared memory, as from `tee` and `imagefreeze`.
@Suite struct SharedMemoryTests {
  /// Mapping such a frame for writing would allocate a copy of its memory each time.
  @Test(.enabled(if: allocation_counter_works()))
  func sharedFramesAreOutputInReusedMemory() throws {
    let filter = try TestFilter(["effect": "color", "threads": "1"])
    _ = try filter.process()
    let buffer = unsafe filter.makeBuffer()
    let shared = unsafe try #require(gst_buffer_copy(buffer))
    defer {
      unsafe GStreamer.unrefMini(shared)
      unsafe GStreamer.unrefMini(buffer)
    }
    let object = filter.object
    func process() throws -> Bool {
      let prepared = unsafe try #require(object.work(on: shared))
      defer { unsafe GStreamer.unrefMini(prepared) }
      return unsafe prepared != shared
    }
    for _ in 0..<20 { _ = try process() }
    let before = allocation_counter_count()
    var others = 0
    for _ in 0..<10 where try process() { others += 1 }
    #expect(allocation_counter_count() - before == 0)
    #expect(others == 10)
    #expect(try filter.statistic("failures") == 0)
  }

  /// In pull mode, the base class would send the buffer.
  @Test func aDroppedFrameLeavesNoBuffer() throws {
    let filter = try TestFilter(["effect": "color", "on-failure": "drop"])
    _ = try filter.process()
    let buffer = unsafe filter.makeBuffer()
    unsafe gst_buffer_resize(buffer, 0, 100)
    unsafe filter.object.receive(buffer)
    // Takes ownership of the buffer, as the base class does before it requests the output.
    unsafe filter.object.base.pointer.pointee.queued_buf = buffer
    var output: UnsafeMutablePointer<GstBuffer>?
    #expect(unsafe filter.object.generateOutput(&output) == CGST_FLOW_DROPPED)
    #expect(unsafe output == nil)
    #expect(try filter.statistic("failures") == 1)
  }
}
