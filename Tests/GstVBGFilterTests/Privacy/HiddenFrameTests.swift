import CGStreamer
import CTestSupport
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// Frames without a matte, for each cause: the output never shows the room.
@Suite struct HiddenFrameTests {
  static let policies = ["blur", "color", "hold", "drop", "error"]

  @Test(arguments: FrameFault.hiding, policies)
  func aFrameWithoutAMatteIsHidden(_ fault: FrameFault, _ policy: String) throws {
    for format in InputFormatTests.all {
      let filter = try TestFilter(
        format: format,
        ["effect": "color", "background-color": "\(Room.gray)", "on-failure": policy])
      let good = try filter.process()
      let flow = unsafe filter.push(try filter.makeBuffer(with: fault))
      let output = try filter.pull()
      switch policy {
      case "drop", "error":
        #expect(flow == (policy == "drop" ? GST_FLOW_OK : GST_FLOW_ERROR))
        #expect(output == nil)
      case "hold":
        #expect(try #require(output).maxDifference(from: good) == 0)
      default:
        let output = try #require(output)
        #expect(Room.visiblePart(of: output) < 0.01)
        #expect(output.maxDifference(from: good) > 0)
        if policy == "color" {
          #expect(output.luma(160, 90) == output.luma(0, 0))
          // Chroma must be gray as well, because the room's chroma is far from gray.
          #expect(output.chroma(0, 0) == (128, 128))
        }
      }
      let messages = filter.messages()
      #expect(messages.map(\.kind) == [policy == "error" ? .error : .warning])
      if policy == "error" { continue }
      // The next frame is unaffected.
      filter.models.change("good") { $0.inferenceFailure = nil }
      let next = try filter.process()
      #expect(next.maxDifference(from: good) == 0)
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
    for plane in 0..<seen.pixelFormat.planeCount {
      #expect(seen.bytes(plane: plane) == good.bytes(plane: plane))
    }
    #expect(MarkedRoom.visiblePart(of: seen) == 0 && MarkedRoom.showsPerson(seen))
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
    let buffer = unsafe filter.stream.makeBuffer(raw, hasMeta: false)
    unsafe GStreamer.refMini(buffer)
    defer { unsafe GStreamer.unrefMini(buffer) }
    #expect(unsafe filter.push(buffer) == GST_FLOW_OK)
    let output = try #require(try filter.pull())
    #expect(Room.visiblePart(of: output) == 0)
    #expect(try unsafe filter.stream.picture(in: buffer).maxDifference(from: raw) == 0)
  }

  /// Memory may be shared even if the buffer is not.
  @Test func sharedMemoryIsNotWrittenTo() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    let raw = Room.picture(filter.stream.frameFormat)
    let buffer = unsafe filter.stream.makeBuffer(raw, hasMeta: true)
    let copy = unsafe try #require(gst_buffer_copy(buffer))
    defer { unsafe GStreamer.unrefMini(copy) }
    #expect(unsafe filter.push(buffer) == GST_FLOW_OK)
    #expect(Room.visiblePart(of: try #require(try filter.pull())) == 0)
    #expect(try unsafe filter.stream.picture(in: copy).maxDifference(from: raw) == 0)
  }

  /// A driver maps its memory itself and need not report its size.
  @Test func memoryWithItsOwnMapFunctionIsProcessed() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    let buffer = unsafe filter.stream.makeBuffer(
      Room.picture(filter.stream.frameFormat), hasMeta: true)
    unsafe own_mapping_set(try #require(gst_buffer_get_video_meta(buffer)))
    #expect(unsafe filter.push(buffer) == GST_FLOW_OK)
    let output = try #require(try filter.pull())
    #expect(Room.visiblePart(of: output) == 0)
    #expect(Room.showsPerson(output))
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
    #expect(unsafe filter.push(buffer) == GST_FLOW_OK)
    let output = unsafe try #require(filter.pullBuffer())
    defer { unsafe GStreamer.unrefMini(output) }
    let seen = unsafe try whole.picture(in: output)
    #expect(Room.visiblePart(of: seen) == 0)
    #expect(Room.showsPerson(seen))
    #expect(seen.luma(5, 100) == 16 && seen.chroma(5, 100) == (128, 128))
    #expect(seen.luma(50, 100) > 100)
    #expect(filter.messages().isEmpty)
  }

  /// Decoders may output frames with extra lines below the picture.
  @Test func linesBelowThePictureAreHiddenToo() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    let whole = try StreamFormat(width: 320, height: 188)
    let buffer = unsafe whole.makeBuffer(Room.picture(whole.frameFormat), hasMeta: true)
    #expect(unsafe filter.push(buffer) == GST_FLOW_OK)
    let output = unsafe try #require(filter.pullBuffer())
    defer { unsafe GStreamer.unrefMini(output) }
    let seen = unsafe try whole.picture(in: output)
    #expect(Room.visiblePart(of: seen) == 0)
    #expect(Room.showsPerson(seen))
    #expect(filter.messages().isEmpty)
  }
}
