import CGStreamer
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// Output in a format other than the input format.
@Suite struct OutputFormatTests {
  static let formats = PixelFormat.allCases
  static let alphaFormats = formats.filter(\.hasAlpha)
  static let sizes = [(16, 16), (17, 17), (320, 180), (385, 289)]

  private func makeFilter(
    _ output: PixelFormat, input: PixelFormat? = nil, size: (Int, Int) = (320, 180),
    _ properties: [String: String]
  ) throws -> TestFilter {
    // The input format must differ, otherwise the element would work in place.
    try TestFilter(
      format: input ?? (output == .nv12 ? .i420 : .nv12), width: size.0, height: size.1,
      sink: "video/x-raw, format=\(output.name)",
      ["background-color": "\(Room.gray)"].with(properties))
  }

  /// Every effect works with every output format.
  @Test(arguments: formats, ["color", "blur", "matte", "transparent"])
  func theRoomIsHidden(_ format: PixelFormat, _ effect: String) throws {
    // Each input format has another size.
    for (size, input) in zip(Self.sizes, [PixelFormat.nv12, .i420, .nv21, .p010])
    where input != format {
      let filter = try makeFilter(
        format, input: input, size: size, ["effect": effect, "blur-radius": "100"])
      let output = try filter.processToPlanes(padding: size.0 == 385 ? 13 : nil)
      #expect(try filter.outputFormat() == format)
      // The network's matte has 64 samples per row.
      #expect(Room.visiblePart(of: output) < 0.15)
      if effect == "color" || effect == "blur" {
        #expect(Room.showsPerson(output))
        #expect(output.alpha(0, 0) == 255)
      }
      if effect == "transparent" {
        #expect(Room.showsPerson(output))
        #expect(output.alpha(size.0 / 2, size.1 / 2) == 255)
        #expect(output.alpha(0, 0) == (format.hasAlpha ? 0 : 255))
      }
      #expect(filter.messages().count == (effect == "transparent" && !format.hasAlpha ? 1 : 0))
    }
  }

  /// The picture fills the output memory, regardless of its position in the input.
  @Test func aCroppedPictureIsOutputWhole() throws {
    let filter = try makeFilter(.rgba, ["effect": "color"])
    let whole = try StreamFormat(width: 400, height: 200)
    let raw = Room.picture(whole.frameFormat)
    let buffer = unsafe whole.makeBuffer(raw, hasMeta: true)
    unsafe try StreamFormat.crop(buffer, 40, 10)
    unsafe GStreamer.refMini(buffer)
    defer { unsafe GStreamer.unrefMini(buffer) }
    #expect(unsafe filter.push(buffer) == GST_FLOW_OK)
    // The memory around the picture belongs to others and stays unchanged.
    #expect(try unsafe whole.picture(in: buffer).maxDifference(from: raw) == 0)
    let output = unsafe try #require(filter.pullBuffer())
    defer { unsafe GStreamer.unrefMini(output) }
    #expect(unsafe gst_buffer_get_meta(output, gst_video_crop_meta_api_get_type()) == nil)
    let seen = try unsafe StreamFormat(.rgba, width: 320, height: 180).planes(in: output)
    #expect(Room.showsPerson(seen))
    #expect(Room.visiblePart(of: seen) == 0)
  }

  /// Buffers from a sink's pool may have any stride, or may be unusable.
  @Test(arguments: formats, [false, true])
  func unusableBuffersOfTheSinkAreReplaced(_ format: PixelFormat, _ isBroken: Bool) throws {
    let filter = try makeFilter(format, ["effect": "transparent"])
    let expected = try filter.processToPlanes()
    let input = unsafe filter.makeBuffer()
    defer { unsafe GStreamer.unrefMini(input) }
    let stream = try StreamFormat(format, width: 320, height: 180)
    let output = unsafe stream.makeBuffer(
      TestPlanes(format, format: stream.frameFormat, padding: 24), hasMeta: true)
    defer { unsafe GStreamer.unrefMini(output) }
    if isBroken { unsafe gst_buffer_resize(output, 0, 1000) }
    let framesOut = try filter.statistic("frames-out")
    let prepared = unsafe try #require(filter.object.work(on: input, into: output))
    #expect(unsafe (prepared == output) == !isBroken)
    #expect(try filter.statistic("frames-out") == framesOut + 1)
    let seen = unsafe try stream.planes(in: prepared)
    if isBroken { unsafe GStreamer.unrefMini(prepared) }
    #expect(seen.bytes == expected.bytes)
  }

  /// A frame that should pass through is converted if downstream needs another format.
  @Test(
    arguments: [PixelFormat.nv21, .p010, .a420, .rgba, .gray8],
    [["active": "false"], ["effect": "none"]])
  func aPassedPictureIsConverted(_ format: PixelFormat, _ properties: [String: String]) throws {
    let filter = try makeFilter(format, properties.with(["model": "missing"]))
    filter.models.change("missing") { $0.loadFailure = .init(.modelNotFound, "missing") }
    let output = try filter.processToPlanes()
    #expect(Room.visiblePart(of: output) == 1)
    #expect(Room.showsPerson(output))
    #expect(output.alpha(0, 0) == 255)
    #expect(filter.models.loaded.isEmpty)
    #expect(filter.messages().isEmpty)
  }

  @Test(arguments: [("bt601", "sRGB"), ("bt709", "sRGB"), ("bt2020", "1:1:11:7")])
  func colorsFollowTheNegotiatedMatrix(_ colorimetry: String, _ expected: String) throws {
    for format in [PixelFormat.rgba, .argb, .ayuv, .a420, .gray8] {
      let filter = try TestFilter(
        colorimetry: colorimetry, sink: "video/x-raw, format=\(format.name)",
        ["effect": "color", "background-color": "\(0xFF20_40E0 as UInt32)"])
      let output = try filter.processToPlanes()
      let caps = try filter.outputCaps()
      switch format {
      case .ayuv, .a420:
        #expect(caps.contains("colorimetry=(string)\(colorimetry)"))
        let colors = filter.stream.frameFormat.colorimetry
        let code = colors.codeValues(red: 0x20, green: 0x40, blue: 0xE0)
        #expect(output.samples(2, 2) == [code.luma, code.cb, code.cr])
      case .gray8: #expect(!caps.contains("colorimetry=(string)bt"))
      default:
        #expect(caps.contains("colorimetry=(string)\(expected)"), "\(caps)")
        for (seen, wanted) in zip(output.color(2, 2), [0x20, 0x40, 0xE0]) {
          #expect(abs(Int(seen) - wanted) <= 2)
        }
      }
    }
  }
}
