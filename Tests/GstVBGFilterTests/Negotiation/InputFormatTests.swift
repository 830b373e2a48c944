import CGStreamer
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// I420, NV21 and P010 are processed in place like NV12, with the same samples and checks.
@Suite struct InputFormatTests {
  static let formats = [PixelFormat.i420, .nv21, .p010]
  static let all = [PixelFormat.nv12] + formats
  static let sizes = [(16, 16), (17, 17), (320, 180), (385, 289), (1919, 1079)]

  @Test(arguments: formats, ["color", "blur", "matte"])
  func theOutputEqualsTheOutputForNV12(_ format: PixelFormat, _ effect: String) throws {
    for (size, padding) in zip(Self.sizes, [nil, 1, 0, 29, nil]) {
      let properties = ["effect": effect, "background-color": "\(Room.gray)"]
      let outputs = try [PixelFormat.nv12, format].map { format in
        let filter = try TestFilter(format: format, width: size.0, height: size.1, properties)
        let raw = Room.picture(filter.stream.frameFormat, padding: padding ?? 0)
        var generator = SeededGenerator(seed: 3)
        for plane in [raw.frame.luma, raw.frame.chroma] {
          for y in 0..<plane.height {
            for (x, noise) in generator.bytes(plane.width).enumerated() {
              unsafe plane.row(y)[x] ^= noise & 7
            }
          }
        }
        var output: TestPicture?
        // The matte of the second frame also depends on the first frame.
        for _ in 0..<2 {
          let buffer = unsafe filter.stream.makeBuffer(raw, hasMeta: padding != nil)
          #expect(unsafe filter.push(buffer) == GST_FLOW_OK)
          output = try filter.pull()
        }
        #expect(try filter.outputFormat() == format)
        #expect(filter.messages().isEmpty)
        let seen = try #require(output)
        return seen
      }
      #expect(outputs[0].maxDifference(from: outputs[1]) == 0)
    }
  }

  /// The element works in place, without a copy of the picture.
  @Test(arguments: all)
  func theInputBufferIsTheOutputBuffer(_ format: PixelFormat) throws {
    let filter = try TestFilter(
      format: format, ["effect": "color", "background-color": "\(Room.gray)"])
    let buffer = unsafe filter.stream.makeBuffer(
      Room.picture(filter.stream.frameFormat), hasMeta: false)
    let memory = unsafe gst_buffer_peek_memory(buffer, 0)
    #expect(unsafe filter.push(buffer) == GST_FLOW_OK)
    let output = unsafe try #require(filter.pullBuffer())
    defer { unsafe GStreamer.unrefMini(output) }
    #expect(unsafe output == buffer)
    #expect(unsafe gst_buffer_peek_memory(output, 0) == memory)
    #expect(try Room.visiblePart(of: unsafe filter.stream.picture(in: output)) == 0)
  }

  /// The format may change within a stream.
  @Test func theFormatMayChange() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    _ = try filter.process()
    for format in [PixelFormat.i420, .nv21, .p010, .i420, .nv12] {
      try filter.renegotiate(format: format, width: 320, height: 180)
      let output = try filter.process()
      #expect(try filter.outputFormat() == format)
      #expect(Room.visiblePart(of: output) == 0)
      #expect(Room.showsPerson(output))
    }
    #expect(filter.models.compiled.count == 1)
    #expect(filter.messages().isEmpty)
  }
}
