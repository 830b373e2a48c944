import CGStreamer
import GStreamerVideo
import PixelTypes
import Processor

/// Converts decoded pictures of any format to RGBA or NV12, in their original size.
///
/// GStreamer's converter only unpacks the samples, and repeats or averages chroma. It is not exact
/// enough for more. Measured with version 1.22:
///
/// - Its colour conversion is off by up to 6.
/// - Its scaling changes a plain colour by up to 15, because 8-bit samples have weights of 6 bits.
///
/// Not thread-safe.
@safe final class PictureConversion {
  // Owned. It converts pictures of the format `source` to `target`.
  private var converter: OpaquePointer?
  private var source = unsafe GstVideoInfo()
  private var target = unsafe GstVideoInfo()
  /// The memory of a converted picture, or of its chroma.
  private var memory: Raster<UInt8>?

  deinit {
    if let converter = unsafe converter { unsafe gst_video_converter_free(converter) }
  }

  /// Returns whether pictures are RGB or have an alpha channel, which NV12 cannot hold.
  static func needsAlphaOrRGB(_ info: GstVideoInfo) -> Bool {
    unsafe hasFlag(GST_VIDEO_FORMAT_FLAG_RGB, info) || hasFlag(GST_VIDEO_FORMAT_FLAG_ALPHA, info)
  }

  private static func hasFlag(_ flag: GstVideoFormatFlags, _ info: GstVideoInfo) -> Bool {
    unsafe (info.finfo?.pointee.flags.rawValue ?? 0) & flag.rawValue != 0
  }

  /// Returns the picture in a buffer as red, green, blue and alpha bytes.
  ///
  /// Returns nil if it cannot be mapped whole or converted. Throws an error if there is not enough
  /// memory.
  func makeRGBA(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo
  ) throws(OutOfMemory) -> Raster<UInt32>? {
    try unsafe withFrame(of: buffer, info) { (frame) throws(OutOfMemory) in
      let isRGB = unsafe Self.hasFlag(GST_VIDEO_FORMAT_FLAG_RGB, info)
      guard
        let converter = unsafe prepare(
          info, to: isRGB ? GST_VIDEO_FORMAT_RGBA : GST_VIDEO_FORMAT_AYUV)
      else { return nil }
      let pixels = try unsafe Raster<UInt32>(
        allocating: Int(info.width), height: Int(info.height), filledWith: 0)
      var result = unsafe makeFrame(in: pixels.base)
      unsafe gst_video_converter_frame(converter, &frame, &result)
      if !isRGB {
        // Decoders of pictures without a known matrix use BT.601, at any size.
        Self.convertToRGBA(pixels, from: unsafe Colorimetry(info.colorimetry, frameHeight: 0))
      }
      return pixels
    }
  }

  /// Calls `body` with the picture in a buffer as NV12, and returns its result.
  ///
  /// NV12, and the luma of I420, are used without a copy. Returns nil, without a call, if the
  /// picture cannot be mapped whole or converted. The planes are valid during the call. Throws an
  /// error if there is not enough memory, and any error of `body`.
  func withNV12<Result>(
    of buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo,
    _ body: (Frame) throws(OutOfMemory) -> Result?
  ) throws(OutOfMemory) -> Result? {
    try unsafe withFrame(of: buffer, info) { (frame) throws(OutOfMemory) in
      switch unsafe vbgfilter_video_info_format(&frame.info) {
      case GST_VIDEO_FORMAT_NV12:
        let planes = unsafe Self.planes(of: frame)
        return try body(Frame(luma: planes[0], chroma: planes[1]))
      case GST_VIDEO_FORMAT_I420:
        let planes = unsafe Self.planes(of: frame)
        let (cb, cr) = (planes[1], planes[2])
        let chroma = try allocate(2 * cb.width, cb.height).plane
        for y in 0..<cb.height {
          unsafe kernels.interleaveRows(cb.row(y), cr.row(y), chroma.row(y), cb.width)
        }
        return try body(Frame(luma: planes[0], chroma: chroma))
      default:
        guard let converter = unsafe prepare(info, to: GST_VIDEO_FORMAT_NV12) else { return nil }
        var result = try unsafe makeFrame(in: allocate(Int(target.size), 1).base)
        unsafe gst_video_converter_frame(converter, &frame, &result)
        let planes = unsafe Self.planes(of: result)
        return try body(Frame(luma: planes[0], chroma: planes[1]))
      }
    }
  }

  /// Returns memory of a size, which is reused until another size is needed.
  private func allocate(_ width: Int, _ height: Int) throws(OutOfMemory) -> Raster<UInt8> {
    if let memory, memory.width == width, memory.height == height { return memory }
    memory = nil
    let new = try Raster<UInt8>(allocating: width, height: height, filledWith: 0)
    memory = new
    return new
  }

  /// Returns the planes of an NV12 or I420 picture.
  private static func planes(of frame: GstVideoFrame) -> [Plane] {
    let (data, info) = unsafe (frame.data, frame.info)
    let (width, height) = unsafe (Int(info.width), Int(info.height))
    let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
    func plane(_ data: gpointer?, _ stride: gint, _ width: Int, _ height: Int) -> Plane? {
      unsafe data.map {
        unsafe Plane(
          base: $0.assumingMemoryBound(to: UInt8.self), width: width, height: height,
          stride: Int(stride))
      }
    }
    let isPlanar = unsafe info.finfo.pointee.format == GST_VIDEO_FORMAT_I420
    return unsafe [
      plane(data.0, info.stride.0, width, height),
      plane(data.1, info.stride.1, isPlanar ? columns : 2 * columns, rows),
      isPlanar ? plane(data.2, info.stride.2, columns, rows) : nil,
    ].compactMap { $0 }
  }

  /// Calls `body` with a buffer's mapped picture, or returns nil if it cannot be mapped whole.
  ///
  /// The picture counts as progressive. GStreamer's converter writes beyond its memory if an
  /// interlaced picture has 1, 2, 3, 5 or 6 rows.
  private func withFrame<Result>(
    of buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo,
    _ body: (inout GstVideoFrame) throws(OutOfMemory) -> Result?
  ) throws(OutOfMemory) -> Result? {
    var info = unsafe info
    unsafe info.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
    var frame = unsafe GstVideoFrame()
    guard unsafe gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ) != 0 else { return nil }
    defer { unsafe gst_video_frame_unmap(&frame) }
    // A buffer's meta can describe another picture than the caps.
    guard unsafe frame.info.width == info.width && frame.info.height == info.height,
      unsafe vbgfilter_video_info_format(&frame.info) == vbgfilter_video_info_format(&info),
      unsafe vbgfilter_video_frame_is_whole(&frame) != 0
    else { return nil }
    unsafe frame.flags.rawValue &= ~GST_VIDEO_FRAME_FLAG_INTERLACED.rawValue
    return try unsafe body(&frame)
  }

  /// Returns the converter for pictures of a format, or nil if GStreamer cannot convert them.
  private func prepare(_ info: GstVideoInfo, to format: GstVideoFormat) -> OpaquePointer? {
    var info = unsafe info
    unsafe info.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
    if unsafe converter != nil && gst_video_info_is_equal(&info, &source) != 0
      && vbgfilter_video_info_format(&target) == format
    {
      return unsafe converter
    }
    if let converter = unsafe converter { unsafe gst_video_converter_free(converter) }
    unsafe converter = nil
    unsafe source = info
    guard
      unsafe gst_video_info_set_format(&target, format, guint(info.width), guint(info.height)) != 0
    else { return nil }
    // Register the enumeration types first, otherwise their names in the text cannot be parsed.
    _ = gst_video_dither_method_get_type()
    _ = gst_video_matrix_mode_get_type()
    let options = unsafe gst_structure_from_string(
      """
      GstVideoConverter, GstVideoConverter.dither-method=(GstVideoDitherMethod)none, \
      GstVideoConverter.matrix-mode=(GstVideoMatrixMode)none
      """, nil)
    unsafe target.colorimetry = info.colorimetry
    unsafe (target.fps_n, target.fps_d) = (info.fps_n, info.fps_d)
    unsafe converter = gst_video_converter_new(&source, &target, options)
    return unsafe converter
  }

  /// Returns a frame of the format `target` for the converter.
  ///
  /// It has no buffer: the converter uses only the description and the planes.
  private func makeFrame(in memory: UnsafeMutableRawPointer) -> GstVideoFrame {
    var frame = unsafe GstVideoFrame()
    unsafe frame.info = target
    unsafe frame.data.0 = memory
    unsafe frame.data.1 = memory + Int(target.offset.1)
    return unsafe frame
  }

  /// Converts bytes of alpha, luma, Cb and Cr to red, green, blue and alpha, in place.
  private static func convertToRGBA(_ pixels: Raster<UInt32>, from colorimetry: Colorimetry) {
    let coefficients = FixedRGBCoefficients(colorimetry)
    let (alpha, luma, chroma) = (
      Raster<UInt8>(width: pixels.width, height: 1, filledWith: 0),
      Raster<UInt8>(width: pixels.width, height: 1, filledWith: 0),
      Raster<UInt8>(width: 2 * pixels.width, height: 1, filledWith: 0)
    )
    for y in 0..<pixels.height {
      let row = unsafe UnsafeMutableRawPointer(pixels.row(y)).assumingMemoryBound(to: UInt8.self)
      for x in 0..<pixels.width {
        unsafe (alpha.base[x], luma.base[x]) = (row[4 * x], row[4 * x + 1])
        unsafe (chroma.base[2 * x], chroma.base[2 * x + 1]) = (row[4 * x + 2], row[4 * x + 3])
      }
      unsafe kernels.packRGB(
        luma.base, chroma.base, alpha.base, coefficients,
        PixelByteOrder(red: 0, green: 1, blue: 2, alpha: 3), row, pixels.width)
    }
  }
}
