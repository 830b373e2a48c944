import CGStreamer
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// A raw video format in GStreamer's terms, and pictures in buffers of this format.
@safe struct StreamFormat {
  let caps: String
  let info: GstVideoInfo
  let frameFormat: FrameFormat
  let pixelFormat: PixelFormat

  init(
    _ pixelFormat: PixelFormat = .nv12, width: Int, height: Int, colorimetry: String? = nil,
    framerate: String = "30/1"
  ) throws {
    self.pixelFormat = pixelFormat
    caps =
      "video/x-raw, format=\(pixelFormat.name), width=\(width), height=\(height), framerate=\(framerate)"
      + (colorimetry.map { ", colorimetry=\($0)" } ?? "")
    GStreamer.prepare()
    let parsed = unsafe try #require(gst_caps_from_string(caps))
    defer { unsafe GStreamer.unrefMini(parsed) }
    var info = unsafe GstVideoInfo()
    try #require(unsafe gst_video_info_from_caps(&info, parsed) != 0)
    unsafe self.info = info
    frameFormat = try #require(unsafe FrameFormat(&info))
  }

  /// Returns the caps, which the caller owns.
  func makeCaps() -> UnsafeMutablePointer<GstCaps> {
    guard let caps = unsafe gst_caps_from_string(caps) else {
      preconditionFailure("caps that were parsed before")
    }
    return unsafe caps
  }

  /// Copies a picture into a new buffer, which the caller owns.
  ///
  /// With `hasMeta`, rows have the padding of the picture, and a GstVideoMeta describes it.
  /// Otherwise the layout is GStreamer's default.
  func makeBuffer(_ picture: TestPicture, hasMeta: Bool) -> UnsafeMutablePointer<GstBuffer> {
    let planes = TestPlanes(
      pixelFormat, format: picture.format,
      padding: picture.frame.luma.stride - picture.frame.luma.width)
    planes.take(picture)
    return unsafe makeBuffer(planes, hasMeta: hasMeta)
  }

  /// Copies a picture of this format into a new buffer, which the caller owns.
  func makeBuffer(_ picture: TestPlanes, hasMeta: Bool) -> UnsafeMutablePointer<GstBuffer> {
    let planes = (0..<pixelFormat.planeCount).map { picture.planes[$0] }
    var strides = unsafe [info.stride.0, info.stride.1, info.stride.2, info.stride.3]
    var offsets = unsafe [info.offset.0, info.offset.1, info.offset.2, info.offset.3]
    var size = unsafe info.size
    if hasMeta {
      size = 0
      for (number, plane) in planes.enumerated() {
        (strides[number], offsets[number]) = (gint(plane.stride), size)
        size += gsize(plane.stride * plane.height)
      }
    }
    guard let buffer = unsafe gst_buffer_new_allocate(nil, size, nil) else {
      preconditionFailure("no memory for a test picture")
    }
    unsafe gst_buffer_memset(buffer, 0, TestPicture.paddingMark, size)
    for (number, plane) in planes.enumerated() {
      for y in 0..<plane.height {
        unsafe gst_buffer_fill(
          buffer, offsets[number] + gsize(y) * gsize(strides[number]), plane.row(y),
          gsize(plane.width))
      }
    }
    if hasMeta {
      unsafe offsets.withUnsafeMutableBufferPointer { offsets in
        unsafe strides.withUnsafeMutableBufferPointer { strides in
          _ = unsafe gst_buffer_add_video_meta_full(
            buffer, GST_VIDEO_FRAME_FLAG_NONE, vbgfilter_video_info_format([info]),
            guint(frameFormat.width), guint(frameFormat.height), guint(planes.count),
            offsets.baseAddress, strides.baseAddress)
        }
      }
    }
    return unsafe buffer
  }

  /// Copies the picture out of a buffer as NV12, with the padding of its rows.
  func picture(in buffer: UnsafeMutablePointer<GstBuffer>) throws -> TestPicture {
    try unsafe planes(in: buffer).makePicture()
  }

  /// Copies the picture out of a buffer, with the padding of its first plane.
  ///
  /// `source` is the format of the input frame if its colours differ.
  func planes(
    in buffer: UnsafeMutablePointer<GstBuffer>, of source: FrameFormat? = nil
  ) throws -> TestPlanes {
    var info = unsafe info
    var mapped = unsafe GstVideoFrame()
    try #require(unsafe vbgfilter_video_frame_map(&mapped, &info, buffer, 0) != 0)
    defer { unsafe gst_video_frame_unmap(&mapped) }
    let (strides, data) = unsafe (mapped.info.stride, mapped.data)
    let sources = unsafe [
      (data.0, Int(strides.0)), (data.1, Int(strides.1)), (data.2, Int(strides.2)),
      (data.3, Int(strides.3)),
    ]
    let width = pixelFormat.planeSize(0, width: frameFormat.width, height: 1).width
    let picture = TestPlanes(
      pixelFormat, format: source ?? frameFormat, padding: unsafe sources[0].1 - width)
    // Only a crop to this format is applied. Otherwise the whole frame is returned.
    let crop = unsafe vbgfilter_buffer_crop_meta(buffer)
    let isCropped = unsafe crop.map { unsafe Int($0.pointee.width) == frameFormat.width } ?? false
    let (left, top) =
      unsafe isCropped
      ? crop.map { unsafe (Int($0.pointee.x), Int($0.pointee.y)) } ?? (0, 0) : (0, 0)
    for number in 0..<pixelFormat.planeCount {
      let plane = picture.planes[number]
      let stride = unsafe sources[number].1
      let start = pixelFormat.planeSize(number, width: left, height: top)
      let source = unsafe try #require(sources[number].0) + start.height * stride + start.width
      for y in 0..<plane.height {
        unsafe UnsafeMutableRawPointer(plane.row(y)).copyMemory(
          from: source + y * stride,
          byteCount: isCropped ? plane.width : min(stride, plane.stride))
      }
    }
    return picture
  }
}
