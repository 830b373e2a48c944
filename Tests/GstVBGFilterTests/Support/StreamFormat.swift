import CGStreamer
import CVBGFilter
import PixelTypes
import TestSupport
import Testing
import VirtualBackground

@testable import GstVBGFilter

/// A raw video format as GStreamer describes it, and pictures in buffers of it.
@safe struct StreamFormat {
  let caps: String
  let info: GstVideoInfo
  let frameFormat: FrameFormat

  init(
    width: Int, height: Int, colorimetry: String? = nil, framerate: String = "30/1"
  ) throws {
    caps =
      "video/x-raw, format=NV12, width=\(width), height=\(height), framerate=\(framerate)"
      + (colorimetry.map { ", colorimetry=\($0)" } ?? "")
    GStreamer.prepare()
    let parsed = unsafe try #require(gst_caps_from_string(caps))
    defer { unsafe GStreamer.unrefMini(parsed) }
    var info = unsafe GstVideoInfo()
    try #require(unsafe gst_video_info_from_caps(&info, parsed) != 0)
    unsafe self.info = info
    frameFormat = try #require(unsafe FrameFormat(&info))
  }

  /// The caps, which the caller owns.
  func makeCaps() -> UnsafeMutablePointer<GstCaps> {
    guard let caps = unsafe gst_caps_from_string(caps) else {
      preconditionFailure("caps that were parsed before")
    }
    return unsafe caps
  }

  /// Puts a picture into a buffer, which the caller owns.
  ///
  /// With `hasMeta` rows are as far apart as in the picture, and a GstVideoMeta says so; without,
  /// they are where GStreamer expects them.
  func makeBuffer(_ picture: TestPicture, hasMeta: Bool) -> UnsafeMutablePointer<GstBuffer> {
    let (luma, chroma) = (picture.frame.luma, picture.frame.chroma)
    let lumaStride = unsafe hasMeta ? luma.stride : Int(info.stride.0)
    let chromaStride = unsafe hasMeta ? chroma.stride : Int(info.stride.1)
    let chromaOffset = unsafe hasMeta ? lumaStride * luma.height : Int(info.offset.1)
    let size = unsafe hasMeta ? chromaOffset + chromaStride * chroma.height : Int(info.size)
    guard
      let buffer = unsafe gst_buffer_new_allocate(nil, gsize(size), nil)
    else { preconditionFailure("no memory for a test picture") }
    unsafe gst_buffer_memset(buffer, 0, TestPicture.paddingMark, gsize(size))
    for (plane, stride, start) in [
      (luma, lumaStride, 0), (chroma, chromaStride, chromaOffset),
    ] {
      for y in 0..<plane.height {
        unsafe gst_buffer_fill(
          buffer, gsize(start + y * stride), plane.row(y), gsize(plane.width))
      }
    }
    if hasMeta {
      let offsets = [0, gsize(chromaOffset), 0, 0]
      let strides = [gint(lumaStride), gint(chromaStride), 0, 0]
      unsafe offsets.withUnsafeBufferPointer { offsets in
        unsafe strides.withUnsafeBufferPointer { strides in
          _ = unsafe gst_buffer_add_video_meta_full(
            buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_NV12, guint(luma.width),
            guint(luma.height), 2, UnsafeMutablePointer(mutating: offsets.baseAddress),
            UnsafeMutablePointer(mutating: strides.baseAddress))
        }
      }
    }
    return unsafe buffer
  }

  /// Copies the picture out of a buffer, padding included.
  func picture(in buffer: UnsafeMutablePointer<GstBuffer>) throws -> TestPicture {
    var info = unsafe info
    var mapped = unsafe GstVideoFrame()
    try #require(unsafe vbg_video_frame_map(&mapped, &info, buffer, 0) != 0)
    defer { unsafe gst_video_frame_unmap(&mapped) }
    let strides = unsafe [Int(mapped.info.stride.0), Int(mapped.info.stride.1)]
    let picture = TestPicture(format: frameFormat, padding: strides[0] - frameFormat.width)
    let sources = unsafe [mapped.data.0, mapped.data.1]
    for (index, plane) in [picture.frame.luma, picture.frame.chroma].enumerated() {
      let source = unsafe try #require(sources[index])
      for y in 0..<plane.height {
        unsafe UnsafeMutableRawPointer(plane.row(y)).copyMemory(
          from: source + y * strides[index], byteCount: min(strides[index], plane.stride))
      }
    }
    return picture
  }
}
