import CGStreamer
import CTestSupport
import PixelTypes
import Testing

@testable import GstVBGFilter

/// Frames without a matte, for each cause: the output never shows the room.
@Suite struct HiddenFrameTests {
  static let policies = ["blur", "color", "hold", "drop", "error"]

  /// In place, and with output of two planes, three, one, and alpha.
  private static let routes: [(PixelFormat, PixelFormat)] =
    InputFormatTests.all.map { ($0, $0) }
    + [(.i420, .nv12), (.nv12, .a420), (.nv12, .rgba), (.nv12, .gray8)]

  @Test(arguments: FrameFault.hiding, policies)
  func aFrameWithoutAMatteIsHidden(_ fault: FrameFault, _ policy: String) throws {
    for (input, output) in Self.routes {
      let filter = try TestFilter(
        format: input, sink: "video/x-raw, format=\(output.name)",
        [
          "effect": output.hasAlpha ? "transparent" : "color", "on-failure": policy,
          "background-color": "\(Room.gray)",
        ])
      let good = try filter.processToPlanes()
      let flow = unsafe filter.push(try filter.makeBuffer(with: fault))
      let seen = try filter.pullPlanes()
      #expect(flow == (policy == "error" ? GST_FLOW_ERROR : GST_FLOW_OK))
      #expect((seen == nil) == (policy == "drop" || policy == "error"))
      if let seen {
        #expect(Room.visiblePart(of: seen) < 0.01)
        #expect((seen.bytes == good.bytes) == (policy == "hold"))
        if policy != "hold" { #expect(seen.alpha(0, 0) == 255 && seen.alpha(160, 90) == 255) }
        if policy == "color" { #expect(seen.samples(0, 0) == seen.samples(160, 90)) }
        // Chroma must be gray as well, because the room's chroma is far from gray.
        if policy == "color", input == output { #expect(seen.samples(0, 0)[1...] == [128, 128]) }
      }
      filter.messages().expectOne(policy == "error" ? .error : .warning)
      if policy == "error" { continue }
      // The next frame is unaffected.
      filter.models.change("good") { $0.inferenceFailure = nil }
      #expect(try filter.processToPlanes().bytes == good.bytes)
      #expect(try filter.statistic("failures") == 1)
      #expect(try filter.statistic("dropped") == (policy == "drop" ? 1 : 0))
    }
  }

  /// A blur hides the room even in the smallest frames and with the smallest radius.
  ///
  /// Its result may replace another frame.
  @Test(
    arguments: [(20, 16, "10"), (64, 36, "5"), (320, 180, "0.3")],
    [("hold", "reuse-matte"), ("hold", "repeat-frame"), ("blur", "repeat-frame")])
  func anyBlurHidesTheRoom(
    _ blur: (width: Int, height: Int, radius: String), _ between: (policy: String, pacing: String)
  ) throws {
    let filter = try TestFilter(
      width: blur.width, height: blur.height,
      [
        "effect": "blur", "blur-radius": blur.radius, "on-failure": between.policy,
        "pacing": between.pacing, "target-fps": "10", "inference": "every-frame",
      ])
    for frame in UInt64(0)..<12 {
      if frame == 6 {
        filter.models.change("good") { $0.inferenceFailure = .init(.inferenceFailed, "broken") }
      }
      let output = try filter.process(time: frame * 33_333_333)
      #expect(Room.visiblePart(of: output) < 0.01, "frame \(frame)")
    }
    #expect(try filter.statistic("failures") > 0)
    #expect(try filter.statistic("repeated") == (between.pacing == "repeat-frame" ? 4 : 0))
  }

  @Test(arguments: PixelFormat.allCases.filter(\.isInput), ["NV12", "RGBA"])
  func aFrameThatCannotBeWrittenToIsCopied(_ input: PixelFormat, _ output: String) throws {
    let filter = try TestFilter(
      format: input, sink: "video/x-raw, format={ (string)\(input.name), (string)\(output) }",
      ["effect": "color", "background-color": "\(Room.gray)"])
    let good = try filter.processToPlanes()
    #expect(unsafe filter.push(try filter.makeBuffer(with: .unwritableMemory)) == GST_FLOW_OK)
    let seen = try #require(try filter.pullPlanes())
    #expect(seen.bytes == good.bytes)
    #expect(Room.visiblePart(of: seen) == 0 && Room.showsPerson(seen))
    #expect(filter.messages().isEmpty)
  }

  /// A frame counts once, even if it should pass through unchanged.
  @Test(arguments: ["blur", "drop"])
  func aFrameThatCannotBeConvertedIsCountedOnce(_ policy: String) throws {
    let filter = try TestFilter(
      sink: "video/x-raw, format=RGBA", ["effect": "none", "on-failure": policy])
    _ = try filter.processToPlanes()
    #expect(unsafe filter.push(try filter.makeBuffer(with: .unmappableMemory)) == GST_FLOW_OK)
    let isOut = try filter.pullPlanes() != nil
    #expect(isOut == (policy != "drop"))
    #expect(try filter.statistic("frames-in") == 2)
    #expect(try filter.statistic("frames-out") == (isOut ? 2 : 1))
    #expect(try filter.statistic("dropped") == (isOut ? 0 : 1))
  }

  /// Repeated failures of a camera do not flood the application with messages.
  @Test func manyFailuresMakeOneWarning() throws {
    let filter = try TestFilter()
    filter.models.change("good") { $0.inferenceFailure = .init(.inferenceFailed, "out of order") }
    for _ in 0..<50 { #expect(Room.visiblePart(of: try filter.process()) < 0.01) }
    #expect(filter.messages().count == 1)
    #expect(try filter.statistic("failures") == 50)
  }

  /// Another owner of the buffer, as behind a tee, keeps its data unchanged.
  @Test(arguments: InputFormatTests.all)
  func aSharedBufferIsNotWrittenTo(_ format: PixelFormat) throws {
    let filter = try TestFilter(
      format: format, ["effect": "color", "background-color": "\(Room.gray)"])
    let raw = Room.picture(filter.stream.frameFormat)
    let buffer = unsafe filter.makeBuffer(raw)
    unsafe GStreamer.refMini(buffer)
    defer { unsafe GStreamer.unrefMini(buffer) }
    #expect(try unsafe Room.showsOnlyPerson(filter.process(buffer)))
    #expect(try unsafe filter.stream.picture(in: buffer).maxDifference(from: raw) == 0)
  }

  /// Memory may be shared even if the buffer is not.
  @Test func sharedMemoryIsNotWrittenTo() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    let raw = Room.picture(filter.stream.frameFormat)
    let buffer = unsafe filter.makeBuffer(raw, hasMeta: true)
    let copy = unsafe try #require(gst_buffer_copy(buffer))
    defer { unsafe GStreamer.unrefMini(copy) }
    #expect(try unsafe Room.showsOnlyPerson(filter.process(buffer)))
    #expect(try unsafe filter.stream.picture(in: copy).maxDifference(from: raw) == 0)
  }

  /// A driver maps its memory itself and need not report its size.
  @Test func memoryWithItsOwnMapFunctionIsProcessed() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    let buffer = unsafe filter.makeBuffer(hasMeta: true)
    unsafe own_mapping_set(try #require(gst_buffer_get_video_meta(buffer)))
    #expect(try unsafe Room.showsOnlyPerson(filter.process(buffer)))
    #expect(filter.messages().isEmpty)
  }

  /// The memory around the picture shows the room as well.
  @Test(arguments: InputFormatTests.all)
  func aCroppedPictureIsHiddenAllAround(_ format: PixelFormat) throws {
    let filter = try TestFilter(
      format: format, ["effect": "color", "background-color": "\(Room.gray)"])
    let whole = try StreamFormat(format, width: 400, height: 200)
    let outer = Room.picture(whole.frameFormat)
    // The person of the outer picture is in columns 100 to 300, the middle of the rectangle.
    let buffer = unsafe whole.makeBuffer(outer, hasMeta: true)
    unsafe try StreamFormat.crop(buffer, 40, 10)
    let output = unsafe try filter.output(of: buffer)
    defer { unsafe GStreamer.unrefMini(output) }
    let seen = unsafe try whole.picture(in: output)
    #expect(Room.showsOnlyPerson(seen))
    #expect(seen.luma(5, 100) == 16 && seen.chroma(5, 100) == (128, 128))
    #expect(seen.luma(50, 100) > 100)
    #expect(filter.messages().isEmpty)
  }

  /// Decoders may output frames with extra lines below the picture.
  @Test func linesBelowThePictureAreHiddenToo() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    let whole = try StreamFormat(width: 320, height: 188)
    let buffer = unsafe whole.makeBuffer(Room.picture(whole.frameFormat), hasMeta: true)
    let output = unsafe try filter.output(of: buffer)
    defer { unsafe GStreamer.unrefMini(output) }
    let seen = unsafe try whole.picture(in: output)
    #expect(Room.showsOnlyPerson(seen))
    #expect(filter.messages().isEmpty)
  }
}
