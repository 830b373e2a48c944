import CAllocationCounter
import CGStreamer
import TestSupport
import Testing

@testable import GstVBGFilter

/// What the element itself adds to the work of the core: nothing that is allocated.
@Suite(.enabled(if: allocation_counter_works())) struct FrameAllocationTests {
  @Test(arguments: [
    ["effect": "color"], ["effect": "blur"], ["effect": "matte"],
    ["background-path": "picture"], ["effect": "color", "target-fps": "1"],
  ])
  func aFrameInSteadyStateAllocatesNothing(_ properties: [String: String]) throws {
    let folder = try TestFolder()
    var properties = properties
    if properties["background-path"] != nil {
      properties["background-path"] = try folder.writePicture("gray.png", color: Room.gray)
    }
    let filter = try TestFilter(properties)
    _ = try filter.process()
    let picture = Room.picture(filter.stream.frameFormat)
    let buffer = unsafe filter.stream.makeBuffer(picture, hasMeta: true)
    defer { unsafe GStreamer.unrefMini(buffer) }
    let object = filter.object
    func process() {
      unsafe object.beforeTransform(buffer)
      _ = unsafe object.prepare(buffer)
      _ = unsafe object.transform(buffer)
    }
    for _ in 0..<3 { process() }
    let before = allocation_counter_count()
    for _ in 0..<5 { process() }
    #expect(allocation_counter_count() - before == 0)
    #expect(try filter.statistic("frames") == 9)
  }

  @Test func aFrameThatIsLetThroughAllocatesNothing() throws {
    let filter = try TestFilter(["active": "false"])
    _ = try filter.process()
    let buffer = unsafe filter.stream.makeBuffer(
      Room.picture(filter.stream.frameFormat), hasMeta: false)
    defer { unsafe GStreamer.unrefMini(buffer) }
    let object = filter.object
    unsafe object.beforeTransform(buffer)
    let before = allocation_counter_count()
    for _ in 0..<5 { unsafe object.beforeTransform(buffer) }
    #expect(allocation_counter_count() - before == 0)
  }
}
