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
        raw.changeSamples { _, _, old in old ^ (generator.byte() & 7) }
        // The matte of the second frame also depends on the first frame.
        let outputs = try (0..<2).map { _ in
          unsafe try filter.process(filter.makeBuffer(raw, hasMeta: padding != nil))
        }
        #expect(try filter.outputFormat() == format)
        #expect(filter.messages().isEmpty)
        return outputs[1]
      }
      #expect(outputs[0].maxDifference(from: outputs[1]) == 0)
    }
  }

  /// The element works in place, without a copy of the picture.
  @Test(arguments: all)
  func theInputBufferIsTheOutputBuffer(_ format: PixelFormat) throws {
    let filter = try TestFilter(
      format: format, ["effect": "color", "background-color": "\(Room.gray)"])
    let buffer = unsafe filter.makeBuffer()
    let memory = unsafe gst_buffer_peek_memory(buffer, 0)
    let output = unsafe try filter.output(of: buffer)
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
      #expect(Room.showsOnlyPerson(output))
    }
    #expect(filter.models.compiled.count == 1)
    #expect(filter.messages().isEmpty)
  }
}
