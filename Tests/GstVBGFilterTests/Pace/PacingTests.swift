import CGStreamer
import TestSupport
import Testing

@testable import GstVBGFilter

/// The output between inferences.
@Suite struct PacingTests {
  private static let frame: UInt64 = 33_333_333

  private func makeFilter(_ pacing: String, _ more: [String: String] = [:]) throws -> TestFilter {
    let properties = [
      "effect": "color", "background-color": "\(Room.gray)", "target-fps": "10", "pacing": pacing,
      "inference": "every-frame",
    ]
    return try TestFilter(properties.with(more))
  }

  /// Pushes frames and returns the output with its times.
  private func run(
    _ filter: TestFilter, frames: Range<UInt64>, padding: Int? = nil
  ) throws -> [(time: UInt64, picture: TestPicture)] {
    var outputs: [(UInt64, TestPicture)] = []
    for frame in frames {
      #expect(filter.pushRoom(padding: padding, time: frame * Self.frame) == GST_FLOW_OK)
      while let buffer = unsafe filter.pullBuffer() {
        defer { unsafe GStreamer.unrefMini(buffer) }
        outputs.append(unsafe (UInt64(buffer.pointee.pts), try filter.stream.picture(in: buffer)))
      }
    }
    return outputs
  }

  @Test func reusedMattesHideEveryFrame() throws {
    let filter = try makeFilter("reuse-matte")
    let outputs = try run(filter, frames: 0..<30)
    #expect(outputs.map(\.time) == (0..<30).map { $0 * Self.frame })
    #expect(outputs.allSatisfy { Room.visiblePart(of: $0.picture) < 0.01 })
    #expect(filter.models.inferences == 10)
    #expect(try filter.statistic("repeated") == 0)
  }

  @Test func aStillSceneGetsOneInferencePerSecond() throws {
    let filter = try makeFilter("reuse-matte", ["target-fps": "0", "inference": "when-needed"])
    let outputs = try run(filter, frames: 0..<65)
    #expect(outputs.map(\.time) == (0..<65).map { $0 * Self.frame })
    #expect(outputs.allSatisfy { Room.visiblePart(of: $0.picture) < 0.01 })
    // Nine inferences until the scene settles, then one per second.
    #expect(filter.models.inferences == 10)
    filter.set("inference", "every-frame")
    _ = try run(filter, frames: 65..<70)
    #expect(filter.models.inferences == 15)
  }

  /// The stride varies, because the copy must describe its memory correctly.
  @Test(arguments: [nil, 0, 21]) func theLastResultIsRepeated(padding: Int?) throws {
    let filter = try makeFilter("repeat-frame")
    let outputs = try run(filter, frames: 0..<30, padding: padding)
    #expect(outputs.map(\.time) == (0..<30).map { $0 * Self.frame })
    for output in outputs {
      #expect(Room.visiblePart(of: output.picture) < 0.01)
      #expect(output.picture.maxDifference(from: outputs[0].picture) == 0)
    }
    #expect(filter.models.inferences == 10)
    #expect(try filter.statistic("repeated") == 20)
    #expect(try filter.statistic("frames-in") == 30)
    #expect(try filter.statistic("frames-out") == 30)
    #expect(filter.messages().isEmpty)
  }

  /// A downstream filter that writes into its buffer must not write into the stored result.
  @Test("repeats the result unchanged after downstream wrote into its buffer")
  func repeatsUnmodifiedResult() throws {
    let filter = try makeFilter("repeat-frame")
    var pictures: [TestPicture] = []
    for frame in UInt64(0)..<3 {
      let buffer = unsafe try filter.output(of: filter.makeBuffer(time: frame * Self.frame))
      pictures.append(unsafe try filter.stream.picture(in: buffer))
      let writable = unsafe gst_mini_object_make_writable(
        UnsafeMutablePointer<GstMiniObject>(OpaquePointer(buffer)))
      let copy = unsafe try #require(UnsafeMutablePointer<GstBuffer>(OpaquePointer(writable)))
      unsafe gst_buffer_memset(copy, 0, 7, gsize(filter.stream.info.size))
      unsafe GStreamer.unrefMini(copy)
    }
    #expect(pictures[1].maxDifference(from: pictures[0]) == 0)
    #expect(pictures[2].maxDifference(from: pictures[0]) == 0)
  }

  @Test func framesBetweenInferencesAreDropped() throws {
    let filter = try makeFilter("drop-frame")
    let outputs = try run(filter, frames: 0..<30)
    #expect(outputs.map(\.time) == stride(from: 0, to: 30, by: 3).map { $0 * Self.frame })
    #expect(outputs.allSatisfy { Room.visiblePart(of: $0.picture) < 0.01 })
    #expect(try filter.statistic("dropped") == 20)
    #expect(try filter.statistic("frames-out") == 10)
    #expect(filter.messages().isEmpty)
  }

  @Test(arguments: ["repeat-frame", "drop-frame"])
  func anotherEffectShowsAtOnce(pacing: String) throws {
    let filter = try makeFilter(pacing, ["target-fps": "1"])
    _ = try run(filter, frames: 0..<2)
    filter.set("background-color", "\(UInt32(0xFF40_C040))")
    let changed = try run(filter, frames: 2..<3)
    #expect(changed.count == 1)
    #expect(filter.models.inferences == 2)
  }

  @Test(
    "never repeats a frame that showed the room after hiding is turned on",
    arguments: [
      ("active", "false", "true"), ("blur-radius", "0", "10"), ("blur-radius", "0", "0.1"),
    ])
  func repeatsNoVisibleRoom(_ property: String, _ off: String, _ on: String) throws {
    let filter = try makeFilter("repeat-frame", ["effect": "blur", "target-fps": "1"])
    _ = try run(filter, frames: 0..<2)
    filter.set(property, off)
    let shown = try run(filter, frames: 2..<40)
    filter.set(property, on)
    #expect(shown.contains { Room.visiblePart(of: $0.picture) > 0.9 })
    for output in try run(filter, frames: 40..<80) {
      #expect(Room.visiblePart(of: output.picture) < 0.01)
    }
  }

  @Test func aFlushAndNewCapsForgetTheLastResult() throws {
    let filter = try makeFilter("repeat-frame", ["target-fps": "1"])
    _ = try run(filter, frames: 0..<3)
    try filter.flush()
    _ = try run(filter, frames: 3..<5)
    #expect(filter.models.inferences == 2)
    try filter.renegotiate(width: 160, height: 90)
    let outputs = try run(filter, frames: 5..<7)
    #expect(outputs.count == 2)
    #expect(outputs.allSatisfy { $0.picture.format.width == 160 })
    #expect(filter.models.inferences == 3)
  }

  @Test func afterAFailureTheNextFrameIsInferred() throws {
    let filter = try makeFilter("drop-frame", ["on-failure": "color"])
    _ = try run(filter, frames: 0..<1)
    filter.models.change("good") { $0.inferenceFailure = .init(.inferenceFailed, "out of order") }
    let failed = try run(filter, frames: 3..<4)
    #expect(Room.visiblePart(of: failed[0].picture) < 0.01)
    filter.models.change("good") { $0.inferenceFailure = nil }
    #expect(try run(filter, frames: 4..<5).count == 1)
  }
}
