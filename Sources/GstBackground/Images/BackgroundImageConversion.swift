import CGStreamer
import PixelTypes

/// Converts decoded pictures of any format to red, green, blue and alpha.
///
/// GStreamer's converter is used only to unpack the samples and to repeat subsampled chroma. It is
/// not exact enough for more:
///
/// - A colour conversion would truncate values instead of rounding them.
/// - When it halves a picture, a plain colour becomes brighter by up to 8.
enum BackgroundImageConversion {
  /// Returns the picture in a buffer as red, green, blue and alpha bytes, in its original size.
  ///
  /// Returns nil if GStreamer cannot convert it. Throws an error if there is not enough memory.
  static func makeRGBA(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo
  ) throws(OutOfMemory) -> Raster<UInt32>? {
    var info = unsafe info
    guard let format = unsafe info.finfo else { return nil }
    let isRGB = unsafe format.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_RGB.rawValue != 0
    var source = unsafe GstVideoFrame()
    guard unsafe gst_video_frame_map(&source, &info, buffer, GST_MAP_READ) != 0 else { return nil }
    defer { unsafe gst_video_frame_unmap(&source) }
    let raster = try unsafe Raster<UInt32>(
      allocating: Int(info.width), height: Int(info.height), filledWith: 0)
    guard
      var target = unsafe frame(raster, isRGB ? GST_VIDEO_FORMAT_RGBA : GST_VIDEO_FORMAT_AYUV)
    else { return nil }
    unsafe target.info.fps_n = info.fps_n
    unsafe target.info.fps_d = info.fps_d
    unsafe target.info.interlace_mode = info.interlace_mode
    unsafe target.info.colorimetry = info.colorimetry
    guard unsafe convert(&source, &target) else { return nil }
    if !isRGB {
      unsafe convertToRGBA(raster, from: colorimetry(info))
    }
    return raster
  }

  private static func convert(
    _ source: inout GstVideoFrame, _ target: inout GstVideoFrame
  ) -> Bool {
    guard let options = unsafe makeOptions(),
      let converter = unsafe gst_video_converter_new(&source.info, &target.info, options)
    else { return false }
    unsafe gst_video_converter_frame(converter, &source, &target)
    unsafe gst_video_converter_free(converter)
    return true
  }

  /// Creates options for GStreamer's converter that leave colours unchanged.
  ///
  /// The caller owns them.
  static func makeOptions() -> UnsafeMutablePointer<GstStructure>? {
    // Register the enumeration types first, otherwise their names in the text cannot be parsed.
    _ = gst_video_dither_method_get_type()
    _ = gst_video_matrix_mode_get_type()
    return unsafe gst_structure_from_string(
      """
      GstVideoConverter, GstVideoConverter.dither-method=(GstVideoDitherMethod)none, \
      GstVideoConverter.matrix-mode=(GstVideoMatrixMode)none
      """, nil)
  }

  /// Returns the colorimetry of a decoded YCbCr or gray picture.
  private static func colorimetry(_ info: GstVideoInfo) -> Colorimetry {
    let matrix: Colorimetry.Matrix =
      switch unsafe info.colorimetry.matrix {
      case GST_VIDEO_COLOR_MATRIX_BT709, GST_VIDEO_COLOR_MATRIX_SMPTE240M: .bt709
      case GST_VIDEO_COLOR_MATRIX_BT2020: .bt2020
      default: .bt601
      }
    let isFull = unsafe info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255
    return Colorimetry(matrix: matrix, range: isFull ? .full : .limited)
  }

  /// Returns a frame for the converter that has the memory of a raster of four bytes per pixel.
  ///
  /// The frame has no buffer: the converter uses only the description and the planes. The raster
  /// must be alive while the frame is used.
  private static func frame(_ raster: Raster<UInt32>, _ format: GstVideoFormat) -> GstVideoFrame? {
    var frame = unsafe GstVideoFrame()
    guard
      unsafe gst_video_info_set_format(
        &frame.info, format, guint(raster.width), guint(raster.height)) != 0
    else { return nil }
    unsafe frame.data.0 = UnsafeMutableRawPointer(raster.base)
    return unsafe frame
  }

  /// Converts bytes of alpha, luma, Cb and Cr to red, green, blue and alpha, in place.
  private static func convertToRGBA(_ pixels: Raster<UInt32>, from colorimetry: Colorimetry) {
    // Fixed-point numbers are multiples of 2^-16.
    func fixed(_ number: Float) -> Int32 { Int32((Double(number) * 65536).rounded()) }
    func code(_ number: Int32) -> UInt32 {
      UInt32(truncatingIfNeeded: min(max(number >> 16, 0), 255))
    }
    let c = RGBCoefficients(colorimetry, low: 0, high: 255)
    let (luma, offset) = (fixed(c.green.luma), fixed(c.green.offset + 0.5))
    let (redFromCr, greenFromCr) = (fixed(c.redFromCr), fixed(c.greenFromCr))
    let (greenFromCb, blueFromCb) = (fixed(c.greenFromCb), fixed(c.blueFromCb))
    for y in 0..<pixels.height {
      let row = unsafe pixels.row(y)
      for x in 0..<pixels.width {
        let pixel = unsafe UInt32(littleEndian: row[x])
        let level = luma &* Int32(truncatingIfNeeded: pixel >> 8 & 0xFF) &+ offset
        let cb = Int32(truncatingIfNeeded: pixel >> 16 & 0xFF) &- 128
        let cr = Int32(truncatingIfNeeded: pixel >> 24) &- 128
        let red = code(level &+ redFromCr &* cr)
        let green = code(level &+ greenFromCb &* cb &+ greenFromCr &* cr)
        let blue = code(level &+ blueFromCb &* cb)
        unsafe row[x] = (red | green << 8 | blue << 16 | pixel << 24).littleEndian
      }
    }
  }
}
