import CGStreamer
import CTestSupport
import PixelTypes
import Testing

@testable import GstVBGFilter

/// The metas of a frame, in the format of the input and in others.
///
/// A meta that cannot hold a picture of the room is kept. All others are dropped while the room is
/// hidden.
@Suite struct CarriedMetaTests {
  private static let outputs: [PixelFormat] = [.nv12, .rgba, .i420]
  private static let kept = [
    CARRIED_REGION, CARRIED_TIME_CODE, CARRIED_CAPTIONS, CARRIED_REFERENCE_TIME,
    CARRIED_ACTIVE_FORMAT, CARRIED_BARS, CARRIED_MATRIX, CARRIED_OVERLAY, CARRIED_PLAIN_FIELDS,
  ]
  private static let dropped = [
    CARRIED_REGION_WITH_PICTURE, CARRIED_REFERENCE_WITH_PICTURE, CARRIED_FIELDS_WITH_PICTURE,
    CARRIED_TEXTURE, CARRIED_PARENT, CARRIED_CODEC_ALPHA, CARRIED_PROTECTION, CARRIED_UNKNOWN,
  ]
  private static let cover = CoverPicture(seed: 2)
  private static let frame: UInt64 = 33_333_333

  private func makeFilter(
    _ output: PixelFormat, _ properties: [String: String] = [:]
  ) throws -> TestFilter {
    try TestFilter(
      sink: "video/x-raw, format=\(output.name)",
      // A slow machine would run inferences alongside, and frames would not see their failures.
      ["effect": "color", "inference": "every-frame"].with(properties))
  }

  /// Makes a frame of the room with a meta, which the caller owns.
  private func makeBuffer(
    _ filter: TestFilter, _ kind: CarriedMeta
  ) throws -> UnsafeMutablePointer<GstBuffer> {
    let buffer = unsafe filter.makeBuffer(hasMeta: true)
    let picture = unsafe try Self.cover.makeBuffer()
    unsafe carried_attach(buffer, kind, picture)
    unsafe GStreamer.unrefMini(picture)
    return unsafe buffer
  }

  @Test("keeps a meta that cannot hold a picture", arguments: kept.indices, outputs)
  func keepsMetaWithoutPicture(_ index: Int, _ output: PixelFormat) throws {
    let kind = Self.kept[index]
    for active in ["true", "false"] {
      let filter = try makeFilter(output, ["active": active])
      let seen = unsafe try filter.output(of: makeBuffer(filter, kind))
      defer { unsafe GStreamer.unrefMini(seen) }
      #expect(unsafe carried_is_attached(seen, kind) != 0)
    }
  }

  @Test(
    "drops a meta that may lead to a picture while the room is hidden",
    arguments: dropped.indices, outputs)
  func dropsMetaThatMayHoldPicture(_ index: Int, _ output: PixelFormat) throws {
    let kind = Self.dropped[index]
    for properties in [
      [:], ["on-failure": "color"], ["pacing": "repeat-frame", "target-fps": "1"],
    ] {
      let filter = try makeFilter(output, properties)
      let oracle = PrivacyOracle(Self.cover.secrets)
      for frame in 0..<3 {
        let fails = frame == 2 && properties["on-failure"] != nil
        filter.models.change("good") {
          $0.inferenceFailure = fails ? .init(.inferenceFailed, "no") : nil
        }
        let buffer = unsafe try makeBuffer(filter, kind)
        unsafe buffer.pointee.pts = GstClockTime(UInt64(frame) * Self.frame)
        let seen = unsafe try filter.output(of: buffer)
        defer { unsafe GStreamer.unrefMini(seen) }
        unsafe oracle.look(at: seen)
        #expect(oracle.takeSightings() == [])
        let isRepeated = frame > 0 && properties["pacing"] != nil
        // The parent of a repeated frame is the stored result.
        if !(isRepeated && kind == CARRIED_PARENT) {
          #expect(unsafe carried_is_attached(seen, kind) == 0)
        }
        let format = try StreamFormat(output, width: 320, height: 180)
        let picture = unsafe try format.planes(in: seen, of: filter.stream.frameFormat)
        #expect(Room.visiblePart(of: picture) < 0.01)
        #expect(Room.showsPerson(picture) == !fails)
      }
    }
  }

  /// Proves that the other tests would find the picture.
  @Test("keeps every meta while inactive", arguments: dropped.indices)
  func keepsEveryMetaWhileInactive(_ index: Int) throws {
    let kind = Self.dropped[index]
    let filter = try makeFilter(.nv12, ["active": "false"])
    let buffer = unsafe try makeBuffer(filter, kind)
    let seen = unsafe try filter.output(of: buffer)
    defer { unsafe GStreamer.unrefMini(seen) }
    #expect(unsafe seen == buffer)
    #expect(unsafe carried_is_attached(seen, kind) != 0)
    let oracle = PrivacyOracle(Self.cover.secrets)
    unsafe oracle.look(at: seen)
    #expect(!oracle.takeSightings().isEmpty)
  }

  /// The input buffer returns to its pool, so the output must not depend on its memory.
  @Test(arguments: [true, false])
  func theOutputDoesNotDependOnTheInputMemory(_ isShared: Bool) throws {
    let filter = try makeFilter(.nv12)
    let parent = unsafe filter.makeBuffer()
    var map = unsafe GstMapInfo()
    try #require(unsafe gst_buffer_map(parent, &map, GST_MAP_READ) != 0)
    defer {
      unsafe gst_buffer_unmap(parent, &map)
      unsafe GStreamer.unrefMini(parent)
    }
    // The same memory, as from a PipeWire camera, or the same bytes, as in a mapping.
    let buffer = unsafe try #require(
      isShared
        ? gst_buffer_copy(parent)
        : gst_buffer_new_wrapped_full(
          GstMemoryFlags(0), map.data, map.size, 0, map.size, nil, nil))
    unsafe gst_buffer_add_parent_buffer_meta(buffer, parent)
    let seen = unsafe try filter.output(of: buffer)
    defer { unsafe GStreamer.unrefMini(seen) }
    #expect(unsafe carried_is_attached(seen, CARRIED_PARENT) == 0)
    let before = unsafe try filter.stream.picture(in: seen)
    #expect(Room.visiblePart(of: before) < 0.01)
    // The source writes the next frame.
    unsafe map.data.update(repeating: 99, count: Int(map.size))
    #expect(unsafe try filter.stream.picture(in: seen).maxDifference(from: before) == 0)
  }

  /// A region keeps its position in the output frame.
  @Test(arguments: outputs) func aRegionKeepsItsPosition(_ output: PixelFormat) throws {
    let filter = try makeFilter(output)
    let seen = unsafe try filter.output(of: makeBuffer(filter, CARRIED_REGION))
    defer { unsafe GStreamer.unrefMini(seen) }
    let region = unsafe try #require(gst_buffer_get_video_region_of_interest_meta_id(seen, 0))
    #expect(unsafe (region.pointee.x, region.pointee.y) == (20, 30))
    #expect(unsafe (region.pointee.w, region.pointee.h) == (40, 50))
    #expect(unsafe gst_video_region_of_interest_meta_get_param(region, "detection") != nil)
  }

  /// A crop would move the region.
  @Test func aCropDropsARegion() throws {
    let filter = try makeFilter(.rgba)
    let buffer = unsafe try filter.stream.makeNoisyBuffer(FrameLayout(border: 8))
    unsafe carried_attach(buffer, CARRIED_REGION, buffer)
    unsafe carried_attach(buffer, CARRIED_TIME_CODE, buffer)
    let seen = unsafe try filter.output(of: buffer)
    defer { unsafe GStreamer.unrefMini(seen) }
    #expect(unsafe carried_is_attached(seen, CARRIED_REGION) == 0)
    #expect(unsafe carried_is_attached(seen, CARRIED_TIME_CODE) != 0)
  }

  /// Sinks may skip a frame with the GAP flag, so a composed frame must not have it.
  @Test(arguments: outputs, [[:], ["pacing": "repeat-frame", "target-fps": "1"]])
  func aComposedFrameHasNoGapFlag(_ output: PixelFormat, _ properties: [String: String]) throws {
    let filter = try makeFilter(output, properties)
    for frame in 0..<2 {
      let buffer = unsafe try makeBuffer(filter, CARRIED_TIME_CODE)
      unsafe buffer.pointee.pts = GstClockTime(UInt64(frame) * Self.frame)
      unsafe gst_buffer_set_flags(buffer, GST_BUFFER_FLAG_GAP)
      let seen = unsafe try filter.output(of: buffer)
      defer { unsafe GStreamer.unrefMini(seen) }
      #expect(unsafe gst_buffer_has_flags(seen, GST_BUFFER_FLAG_GAP) == 0)
    }
  }

  /// After a gap due to `target-fps`, frames must not have the DISCONT flag.
  @Test func aSlowPaceSetsNoDiscontinuityFlag() throws {
    let filter = try makeFilter(.nv12, ["pacing": "drop-frame", "target-fps": "10"])
    var marked: [UInt64] = []
    for frame in UInt64(0)..<30 {
      let buffer = unsafe try makeBuffer(filter, CARRIED_TIME_CODE)
      unsafe buffer.pointee.pts = GstClockTime(frame * Self.frame)
      // This frame is among the dropped ones.
      if frame == 13 { unsafe gst_buffer_set_flags(buffer, GST_BUFFER_FLAG_DISCONT) }
      try #require(unsafe filter.push(buffer) == GST_FLOW_OK)
      while let seen = unsafe filter.pullBuffer() {
        defer { unsafe GStreamer.unrefMini(seen) }
        if unsafe gst_buffer_has_flags(seen, GST_BUFFER_FLAG_DISCONT) != 0 {
          unsafe marked.append(UInt64(seen.pointee.pts) / Self.frame)
        }
      }
    }
    #expect(marked == [15])
    #expect(try filter.statistic("dropped") == 20)
    #expect(try filter.statistic("frames-out") == 10)
  }

  /// A gap due to a lost frame needs the DISCONT flag.
  @Test func aLostFrameSetsTheDiscontinuityFlag() throws {
    let filter = try makeFilter(.nv12, ["on-failure": "drop"])
    var marks: [Bool] = []
    for frame in UInt64(0)..<4 {
      filter.models.change("good") {
        $0.inferenceFailure = frame == 1 ? .init(.inferenceFailed, "no") : nil
      }
      let buffer = unsafe try makeBuffer(filter, CARRIED_TIME_CODE)
      try #require(unsafe filter.push(buffer) == GST_FLOW_OK)
      guard let seen = unsafe filter.pullBuffer() else { continue }
      defer { unsafe GStreamer.unrefMini(seen) }
      marks.append(unsafe gst_buffer_has_flags(seen, GST_BUFFER_FLAG_DISCONT) != 0)
    }
    #expect(marks == [false, true, false])
  }
}
