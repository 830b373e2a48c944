import CAllocationCounter
import CGStreamer
import CVBGFilter
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// The element itself must not allocate memory per frame.
@Suite(.enabled(if: allocation_counter_works())) struct FrameAllocationTests {
  /// The settings of an element, and the expected results for ten frames that are 40 ms apart.
  struct Stream: Sendable, CustomTestStringConvertible {
    let properties: [String: String]
    /// The output format, or nil for the input format.
    var output: PixelFormat?
    var inferences: UInt64 = 10
    /// Repeated results, for each of which GStreamer makes a buffer.
    var repeated: UInt64 = 0
    var dropped: UInt64 = 0
    /// Attached mattes, for each of which GStreamer makes a meta.
    var attached: UInt64 = 0

    var testDescription: String {
      let words = properties.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return (words + (output.map { ["to \($0)"] } ?? [])).joined(separator: " ")
    }
  }

  static let slow = ["effect": "color", "target-fps": "5"]
  static let streams: [Stream] =
    [
      ["effect": "color"], ["effect": "blur"], ["effect": "matte"],
      ["background-path": "picture"], ["background-path": "video"],
      ["background-path": "video", "light-wrap": "0.5", "match-light": "0.7"],
      ["background-path": "video", "input-orientation": "90r"],
      ["effect": "color", "adaptive": "true", "cpu-budget": "200"],
    ].map { Stream(properties: $0) }
    + [
      // The element reuses a matte, repeats a result, or drops the frame.
      Stream(properties: slow, inferences: 2),
      Stream(properties: slow.with(["pacing": "repeat-frame"]), inferences: 2, repeated: 8),
      Stream(properties: slow.with(["pacing": "drop-frame"]), inferences: 2, dropped: 8),
      Stream(properties: slow.with(["adaptive": "true"]), inferences: 2),
      // The scene is still, so no inference is needed within a second.
      Stream(properties: ["effect": "color", "inference": "when-needed"], inferences: 0),
      Stream(properties: ["effect": "color", "attach-matte": "true"], attached: 10),
      Stream(properties: slow.with(["attach-matte": "true"]), inferences: 2, attached: 10),
      Stream(properties: slow, output: .rgba, inferences: 2),
      Stream(
        properties: slow.with(["pacing": "repeat-frame"]), output: .rgba, inferences: 2,
        repeated: 8),
    ]
    + [
      Stream(properties: ["effect": "none"], output: .i420, inferences: 0),
      Stream(properties: ["effect": "transparent"], output: .bgra),
      Stream(properties: ["effect": "matte"], output: .gray8),
    ]

  /// The tests of the engine cover allocations for each format and effect.
  @Test(arguments: streams, ["1", "2"])
  func aFrameInSteadyStateAllocatesNothing(_ stream: Stream, threads: String) throws {
    let folder = TemporaryFolder()
    var properties = stream.properties
    // With one thread, the counted thread does all of the work.
    properties["threads"] = threads
    properties["inference"] = properties["inference"] ?? "every-frame"
    if properties["background-path"] == "picture" {
      properties["background-path"] = try folder.writePicture("gray.png", color: Room.gray)
    } else if properties["background-path"] == "video" {
      properties["background-path"] = try folder.write(StoredVideo(lumas: [80, 90, 100]))
    }
    let filter = try TestFilter(
      sink: stream.output.map { "video/x-raw, format=\($0.name)" }, properties)
    // By then a still scene has settled, and all buffers are allocated.
    let (first, counted) = (20, 10)
    let frames = try Frames(first + counted, for: filter, stream.output)
    #expect(filter.pushRoom(time: 0) == GST_FLOW_OK)
    frames.process(first)
    let before = try Counts(filter, frames)
    let allocationsBefore = allocation_counter_count()
    frames.process(counted)
    let allocations = allocation_counter_count() - allocationsBefore
    // The frames must have taken the intended path.
    let after = try Counts(filter, frames)
    #expect(after.inferences - before.inferences == stream.inferences)
    #expect(after.repeated - before.repeated == stream.repeated)
    #expect(after.dropped - before.dropped == stream.dropped)
    #expect(after.out - before.out == UInt64(counted) - stream.dropped)
    #expect(after.attached - before.attached == stream.attached)
    #expect(try allocations <= inherentAllocations(stream, filter))
    // Buffers of sent mattes are reused.
    #expect((filter.object.state?.matteAttachment.buffers ?? 0) <= 2)
  }

  /// Returns GStreamer's own allocations for the buffers and metas of ten such frames.
  ///
  /// The count is zero for most streams.
  private func inherentAllocations(_ stream: Stream, _ filter: TestFilter) throws -> UInt64 {
    var allocations: UInt64 = 0
    func count(_ body: () -> Void) {
      let before = allocation_counter_count()
      body()
      allocations += allocation_counter_count() - before
    }
    let picture = Room.picture(filter.stream.frameFormat)
    // Each repetition shares the memory of its result.
    for _ in 0..<(stream.repeated > 0 ? stream.inferences : 0) {
      let result = unsafe filter.makeBuffer(picture, hasMeta: true)
      for _ in 0..<stream.repeated / stream.inferences {
        count { unsafe GStreamer.unrefMini(vbg_buffer_share_memory(result)) }
      }
      unsafe GStreamer.unrefMini(result)
    }
    let plane = unsafe try #require(vbg_gray_buffer_new(16, 16))
    defer { unsafe GStreamer.unrefMini(plane) }
    for _ in 0..<stream.attached {
      let buffer = unsafe filter.makeBuffer(picture, hasMeta: true)
      var meta = unsafe GstVBGMatteMeta()
      unsafe meta.alpha = plane
      count {
        _ = unsafe vbg_buffer_attach_matte(buffer, &meta)
        if vbg_analytics_is_available() != 0 {
          _ = unsafe vbg_buffer_attach_mask(buffer, plane, 0, 16, 16)
        }
      }
      unsafe GStreamer.unrefMini(buffer)
    }
    return allocations
  }

  @Test func aPassedFrameAllocatesNothing() throws {
    let filter = try TestFilter(["active": "false"])
    _ = try filter.process()
    let buffer = unsafe filter.makeBuffer()
    defer { unsafe GStreamer.unrefMini(buffer) }
    let object = filter.object
    func process() {
      unsafe object.receive(buffer)
      object.recordResult(GST_FLOW_OK)
    }
    process()
    let before = allocation_counter_count()
    for _ in 0..<5 { process() }
    #expect(allocation_counter_count() - before == 0)
  }
}

/// The counters of the element.
private struct Counts {
  let out: UInt64
  let inferences: UInt64
  let repeated: UInt64
  let dropped: UInt64
  let attached: UInt64

  init(_ filter: TestFilter, _ frames: Frames) throws {
    attached = frames.attached
    out = try filter.statistic("frames-out")
    inferences = try filter.statistic("inferences")
    repeated = try filter.statistic("repeated")
    dropped = try filter.statistic("dropped")
  }
}

/// Frames that are made in advance and passed to an element in place of the C shim.
@safe private final class Frames {
  private let object: VBGFilterElement
  // This object owns the buffers from `next` on.
  private let inputs: [UnsafeMutablePointer<GstBuffer>]
  /// The output buffers, empty if the output format is the input format.
  private let outputs: [UnsafeMutablePointer<GstBuffer>]
  private var next = 0
  /// The number of output frames with a matte.
  private(set) var attached: UInt64 = 0

  /// Makes pictures of the room that are 40 ms apart.
  init(_ count: Int, for filter: TestFilter, _ output: PixelFormat?) throws {
    object = filter.object
    let format = filter.stream.frameFormat
    let picture = Room.picture(format)
    let input = unsafe filter.makeBuffer(picture, hasMeta: true)
    defer { unsafe GStreamer.unrefMini(input) }
    unsafe inputs = try (1...count).map { number in
      let buffer = unsafe try #require(gst_buffer_copy_deep(input))
      unsafe buffer.pointee.pts = GstClockTime(number * 40_000_000)
      return unsafe buffer
    }
    guard let output else {
      unsafe outputs = []
      return
    }
    let stream = try StreamFormat(output, width: format.width, height: format.height)
    let empty = unsafe stream.makeBuffer(
      TestPlanes(output, format: format, padding: 0), hasMeta: true)
    defer { unsafe GStreamer.unrefMini(empty) }
    unsafe outputs = try inputs.map { _ in unsafe try #require(gst_buffer_copy_deep(empty)) }
  }

  deinit {
    while unsafe next < inputs.count { release() }
  }

  /// Processes the next `count` frames.
  func process(_ count: Int) {
    for _ in 0..<count {
      processNext()
      release()
    }
  }

  private func processNext() {
    let input = unsafe inputs[next]
    let output = unsafe outputs.isEmpty ? nil : outputs[next]
    guard let prepared = unsafe object.work(on: input, into: output) else { return }
    if unsafe gst_buffer_get_vbg_matte_meta(prepared) != nil { attached += 1 }
    if unsafe prepared != output ?? input { unsafe GStreamer.unrefMini(prepared) }
  }

  private func release() {
    unsafe GStreamer.unrefMini(inputs[next])
    if unsafe !outputs.isEmpty { unsafe GStreamer.unrefMini(outputs[next]) }
    next += 1
  }
}
