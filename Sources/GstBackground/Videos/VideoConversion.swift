import CGStreamer
import Compositing
import GStreamerVideo
import PixelTypes

/// Provides decoded pictures as 4:2:0 planes.
///
/// I420 and NV12 are used without a copy. GStreamer's converter converts other layouts to I420. It
/// changes neither the size nor the colours, because it is not exact enough for that. Not
/// thread-safe.
@safe final class VideoConversion {
  // Owned. It converts pictures of the format `source`, and is replaced when the format changes.
  private var converter: OpaquePointer?
  private var source = unsafe GstVideoInfo()
  private var target = unsafe GstVideoInfo()
  private var planes: Raster<UInt8>?

  deinit {
    if let converter = unsafe converter { unsafe gst_video_converter_free(converter) }
  }

  /// Returns whether pictures are RGB or have an alpha channel, which 4:2:0 planes cannot hold.
  static func needsAlphaOrRGB(_ info: GstVideoInfo) -> Bool {
    guard let format = unsafe info.finfo else { return false }
    let flags = unsafe format.pointee.flags.rawValue
    return flags
      & (GST_VIDEO_FORMAT_FLAG_RGB.rawValue | GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue)
      != 0
  }

  /// Calls `body` with the picture in a buffer, and returns its result.
  ///
  /// Returns nil, without a call, if the picture cannot be mapped whole or converted. The planes are
  /// valid during the call. Throws an error if there is not enough memory to convert the picture,
  /// and any error of `body`.
  func withPicture<Result>(
    of buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo,
    _ body: (VideoPicture) throws(OutOfMemory) -> Result?
  ) throws(OutOfMemory) -> Result? {
    var info = unsafe info
    var frame = unsafe GstVideoFrame()
    guard unsafe gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ) != 0 else { return nil }
    defer { unsafe gst_video_frame_unmap(&frame) }
    guard unsafe vbgfilter_video_frame_is_whole(&frame) != 0 else { return nil }
    switch unsafe info.finfo?.pointee.format {
    case GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12:
      guard let picture = unsafe picture(frame) else { return nil }
      return try body(picture)
    default:
      return try unsafe withConverted(&frame, info, body)
    }
  }

  /// Returns the planes of an I420 or NV12 frame, or nil if a plane is missing.
  private func picture(_ frame: GstVideoFrame) -> VideoPicture? {
    let info = unsafe frame.info
    let (width, height) = unsafe (Int(info.width), Int(info.height))
    let (chromaWidth, chromaHeight) = ((width + 1) / 2, (height + 1) / 2)
    func plane(_ data: gpointer?, _ stride: gint, _ width: Int, _ height: Int) -> Plane? {
      guard let data = unsafe data else { return nil }
      return unsafe Plane(
        base: data.assumingMemoryBound(to: UInt8.self), width: width, height: height,
        stride: Int(stride))
    }
    guard let luma = unsafe plane(frame.data.0, info.stride.0, width, height) else { return nil }
    let chroma: VideoPicture.Chroma
    if unsafe info.finfo?.pointee.format == GST_VIDEO_FORMAT_NV12 {
      guard
        let pairs = unsafe plane(frame.data.1, info.stride.1, 2 * chromaWidth, chromaHeight)
      else { return nil }
      chroma = .interleaved(pairs)
    } else {
      guard let cb = unsafe plane(frame.data.1, info.stride.1, chromaWidth, chromaHeight),
        let cr = unsafe plane(frame.data.2, info.stride.2, chromaWidth, chromaHeight)
      else { return nil }
      chroma = .planar(cb: cb, cr: cr)
    }
    return VideoPicture(
      luma: luma, chroma: chroma,
      colorimetry: unsafe Colorimetry(info.colorimetry, frameHeight: height),
      pixelAspect: unsafe info.pixelAspect)
  }

  private func withConverted<Result>(
    _ frame: inout GstVideoFrame, _ info: GstVideoInfo,
    _ body: (VideoPicture) throws(OutOfMemory) -> Result?
  ) throws(OutOfMemory) -> Result? {
    var info = unsafe info
    if unsafe converter == nil || gst_video_info_is_equal(&info, &source) == 0 {
      guard try unsafe prepare(info) else { return nil }
    }
    guard let converter = unsafe converter, let planes else { return nil }
    // This frame has no buffer: the converter uses only the description and the planes.
    var result = unsafe GstVideoFrame()
    unsafe result.info = target
    let base = unsafe UnsafeMutableRawPointer(planes.base)
    unsafe result.data.0 = base
    unsafe result.data.1 = base + Int(target.offset.1)
    unsafe result.data.2 = base + Int(target.offset.2)
    unsafe gst_video_converter_frame(converter, &frame, &result)
    // The planes of `picture` are in `planes`, which the next conversion overwrites.
    guard let picture = unsafe picture(result) else { return nil }
    return try body(picture)
  }

  /// Creates the converter and the planes for pictures of a format.
  ///
  /// Returns false if GStreamer has no converter for it.
  private func prepare(_ info: GstVideoInfo) throws(OutOfMemory) -> Bool {
    if let converter = unsafe converter { unsafe gst_video_converter_free(converter) }
    unsafe converter = nil
    planes = nil
    unsafe source = info
    guard
      unsafe gst_video_info_set_format(
        &target, GST_VIDEO_FORMAT_I420, guint(info.width), guint(info.height)) != 0,
      let options = unsafe BackgroundImageConversion.makeOptions()
    else { return false }
    unsafe target.colorimetry = info.colorimetry
    unsafe target.interlace_mode = info.interlace_mode
    unsafe target.fps_n = info.fps_n
    unsafe target.fps_d = info.fps_d
    unsafe target.par_n = info.par_n
    unsafe target.par_d = info.par_d
    unsafe converter = gst_video_converter_new(&source, &target, options)
    planes = try Raster(allocating: unsafe Int(target.size), height: 1, filledWith: 0)
    return unsafe converter != nil
  }
}
