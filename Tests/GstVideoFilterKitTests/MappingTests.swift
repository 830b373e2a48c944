import CGStreamer
import Testing

@testable import GstVideoFilterKit

/// Buffers with a custom memory layout.
@Suite struct MappingTests {
  /// Adds the video meta that describes the planes of an NV12 picture.
  private func describe(
    _ buffer: UnsafeMutablePointer<GstBuffer>, width: Int, height: Int, stride: Int, chroma: Int,
    crop: (x: Int, y: Int, width: Int, height: Int)? = nil
  ) {
    var offsets = [0, gsize(chroma), 0, 0]
    var strides = [gint(stride), gint(stride), 0, 0]
    _ = unsafe gst_buffer_add_video_meta_full(
      buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_NV12, guint(width), guint(height), 2,
      &offsets, &strides)
    guard let crop,
      let meta = unsafe gst_buffer_add_meta(buffer, gst_video_crop_meta_get_info(), nil)
    else { return }
    unsafe UnsafeMutableRawPointer(meta).withMemoryRebound(to: GstVideoCropMeta.self, capacity: 1) {
      unsafe $0.pointee.x = guint(crop.x)
      unsafe $0.pointee.y = guint(crop.y)
      unsafe $0.pointee.width = guint(crop.width)
      unsafe $0.pointee.height = guint(crop.height)
    }
  }

  @Test func paddingIsNotTouched() throws {
    let element = try TestElement("kit-gray")
    try element.start("NV12", width: 7, height: 4)
    let input = Array(repeating: UInt8(33), count: 16 * 6)
    let flow = try unsafe element.push(input) { buffer in
      unsafe describe(buffer, width: 7, height: 4, stride: 16, chroma: 64)
    }
    #expect(flow == GST_FLOW_OK)
    var expected = input
    for y in 0..<2 { for x in 0..<8 { expected[64 + 16 * y + x] = 128 } }
    #expect(element.pull() == expected)
  }

  @Test func aSharedBufferIsCopied() throws {
    let element = try TestElement("kit-gray")
    try element.start("NV12", width: 7, height: 4)
    let input = Array(repeating: UInt8(33), count: 16 * 6)
    var held: UnsafeMutablePointer<GstBuffer>?
    let flow = try unsafe element.push(input) { buffer in
      unsafe describe(buffer, width: 7, height: 4, stride: 16, chroma: 64)
      _ = unsafe gst_mini_object_ref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(buffer)))
      unsafe held = buffer
    }
    #expect(flow == GST_FLOW_OK)
    let other = unsafe try #require(held)
    defer {
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(other)))
    }
    for (index, byte) in try #require(element.pull()).enumerated() {
      let isChroma = index >= 64 && index % 16 < 8
      #expect(byte == (isChroma ? 128 : 33))
    }
    var bytes = Array(repeating: UInt8(0), count: input.count)
    unsafe bytes.withUnsafeMutableBytes { bytes in
      _ = unsafe gst_buffer_extract(other, 0, bytes.baseAddress, gsize(bytes.count))
    }
    #expect(bytes == input)
  }

  @Test(arguments: ["NV12", "I420", "RGBA"])
  func noSizeIsTooSmall(_ format: String) throws {
    for (width, height) in [(1, 1), (1, 2), (2, 1), (1, 5), (5, 1), (3, 3)] {
      for then in ["black", "untouched"] {
        let element = try TestElement("kit-throws", ["then": then])
        try element.start(format, width: width, height: height)
        for _ in 0..<3 { #expect(try element.push(100) == GST_FLOW_OK) }
        _ = (element.pull(), element.pull())
        let output = try #require(element.pull())
        #expect(output[0] == (then == "untouched" ? 100 : format == "RGBA" ? 0 : 16))
      }
      let element = try TestElement("kit-color")
      try element.start(format, width: width, height: height)
      let text = try element.process(128, untilThereIs: GST_MESSAGE_ELEMENT)
      #expect(text.contains("red=(int)1"), "\(text)")
    }
  }

  @Test("processes only the crop of a buffer with a crop meta")
  func processesOnlyTheCrop() throws {
    let element = try TestElement("kit-gray")
    try element.start("NV12", width: 4, height: 4)
    let input = Array(repeating: UInt8(33), count: 16 * 12)
    let flow = try unsafe element.push(input) { buffer in
      unsafe describe(
        buffer, width: 16, height: 8, stride: 16, chroma: 128,
        crop: (x: 6, y: 2, width: 4, height: 4))
    }
    #expect(flow == GST_FLOW_OK)
    var expected = input
    for y in 1..<3 { for x in 6..<10 { expected[128 + 16 * y + x] = 128 } }
    #expect(element.pull() == expected)
  }

  @Test(arguments: [
    (width: 8, height: 4, stride: 4, chroma: 64, x: 0),
    (width: 4, height: 4, stride: 16, chroma: 64, x: 0),
    (width: 8, height: 4, stride: 16, chroma: 90, x: 0),
    (width: 8, height: 4, stride: 16, chroma: 64, x: 2),
    (width: 16, height: 4, stride: 16, chroma: 64, x: 3),
  ])
  func anImpossibleLayoutIsNotTouched(
    _ layout: (width: Int, height: Int, stride: Int, chroma: Int, x: Int)
  ) throws {
    let element = try TestElement("kit-gray")
    try element.start("NV12", width: 8, height: 4)
    let input = Array(repeating: UInt8(33), count: 96)
    let flow = try unsafe element.push(input) { buffer in
      unsafe describe(
        buffer, width: layout.width, height: layout.height, stride: layout.stride,
        chroma: layout.chroma,
        crop: layout.x == 0 ? nil : (x: layout.x, y: 0, width: 8, height: 4))
    }
    #expect(flow == GST_FLOW_OK)
    #expect(element.pull() == input)
    #expect(element.messages(GST_MESSAGE_WARNING).count == 1)
  }
}
