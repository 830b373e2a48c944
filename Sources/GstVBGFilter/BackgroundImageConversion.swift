import CGStreamer
import PixelTypes
import VirtualBackground

/// Converts pictures between formats and sizes by GStreamer's converter.
///
/// Only the matrix and the range are converted, never primaries or transfer: a colour keeps its RGB
/// values.
enum BackgroundImageConversion {
  /// The picture of a buffer as red, green, blue and alpha bytes at its own size; nil when
  /// GStreamer cannot.
  static func makeRGBA(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo
  ) -> Raster<UInt32>? {
    var source = unsafe GstVideoFrame()
    var info = unsafe info
    unsafe completeColorimetry(&info)
    guard unsafe gst_video_frame_map(&source, &info, buffer, GST_MAP_READ) != 0 else { return nil }
    defer { unsafe gst_video_frame_unmap(&source) }
    let raster = unsafe Raster<UInt32>(
      width: Int(info.width), height: Int(info.height), filledWith: 0)
    guard
      var target = unsafe rgbaFrame(
        raster,
        Fit.Rectangle(
          x: 0, y: 0, width: raster.width, height: raster.height))
    else { return nil }
    unsafe target.info.fps_n = info.fps_n
    unsafe target.info.fps_d = info.fps_d
    unsafe target.info.interlace_mode = info.interlace_mode
    return unsafe convert(&source, &target) ? raster : nil
  }

  /// Scales a part of an opaque picture into a part of an NV12 frame; false when GStreamer cannot.
  static func paint(
    _ raster: Raster<UInt32>, part: Fit.Rectangle, into frame: Frame, at place: Fit.Rectangle,
    colorimetry: Colorimetry
  ) -> Bool {
    guard var source = unsafe rgbaFrame(raster, part),
      var target = unsafe nv12Frame(frame, place, colorimetry)
    else { return false }
    return unsafe convert(&source, &target)
  }

  private static func convert(
    _ source: inout GstVideoFrame, _ target: inout GstVideoFrame
  ) -> Bool {
    guard let options = unsafe makeOptions(),
      let converter = unsafe gst_video_converter_new(&source.info, &target.info, options)
    else { return false }
    defer { unsafe gst_video_converter_free(converter) }
    unsafe gst_video_converter_frame(converter, &source, &target)
    return true
  }

  private static func makeOptions() -> UnsafeMutablePointer<GstStructure>? {
    // Their names in the text below are known only once the types are registered.
    _ = gst_video_dither_method_get_type()
    _ = gst_video_resampler_method_get_type()
    _ = gst_video_matrix_mode_get_type()
    _ = gst_video_gamma_mode_get_type()
    _ = gst_video_primaries_mode_get_type()
    _ = gst_video_chroma_mode_get_type()
    return unsafe gst_structure_from_string(
      """
      GstVideoConverter, \
      GstVideoConverter.dither-method=(GstVideoDitherMethod)none, \
      GstVideoConverter.resampler-method=(GstVideoResamplerMethod)lanczos, \
      GstVideoConverter.matrix-mode=(GstVideoMatrixMode)full, \
      GstVideoConverter.gamma-mode=(GstVideoGammaMode)none, \
      GstVideoConverter.primaries-mode=(GstVideoPrimariesMode)none, \
      GstVideoConverter.chroma-mode=(GstVideoChromaMode)full, \
      GstVideoResampler.max-taps=(int)\(BackgroundImage.largestSide)
      """, nil)
  }

  /// Says of a decoded picture what its decoder left unsaid: RGB and gray use all values.
  private static func completeColorimetry(_ info: inout GstVideoInfo) {
    guard let format = unsafe info.finfo else { return }
    let flags = unsafe format.pointee.flags.rawValue
    if flags & GST_VIDEO_FORMAT_FLAG_RGB.rawValue != 0 {
      unsafe info.colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_RGB
      unsafe info.colorimetry.range = GST_VIDEO_COLOR_RANGE_0_255
    } else if flags & GST_VIDEO_FORMAT_FLAG_GRAY.rawValue != 0,
      unsafe info.colorimetry.range == GST_VIDEO_COLOR_RANGE_UNKNOWN
    {
      unsafe info.colorimetry.range = GST_VIDEO_COLOR_RANGE_0_255
    }
  }

  /// A part of a raster of red, green, blue and alpha bytes, as the converter takes it.
  ///
  /// The frame has no buffer behind it: the converter looks at nothing but the description and the
  /// planes.
  private static func rgbaFrame(
    _ raster: Raster<UInt32>, _ part: Fit.Rectangle
  ) -> GstVideoFrame? {
    var frame = unsafe GstVideoFrame()
    guard
      unsafe gst_video_info_set_format(
        &frame.info, GST_VIDEO_FORMAT_RGBA, guint(part.width), guint(part.height)) != 0
    else { return nil }
    unsafe completeColorimetry(&frame.info)
    unsafe frame.info.stride.0 = gint(raster.width * 4)
    unsafe frame.data.0 = UnsafeMutableRawPointer(raster.row(part.y) + part.x)
    return unsafe frame
  }

  /// A part of an NV12 frame, its edges even or the frame's own, as the converter takes it.
  private static func nv12Frame(
    _ planes: Frame, _ part: Fit.Rectangle, _ colorimetry: Colorimetry
  ) -> GstVideoFrame? {
    var frame = unsafe GstVideoFrame()
    guard
      unsafe gst_video_info_set_format(
        &frame.info, GST_VIDEO_FORMAT_NV12, guint(part.width), guint(part.height)) != 0
    else { return nil }
    unsafe frame.info.colorimetry.range =
      colorimetry.range == .full ? GST_VIDEO_COLOR_RANGE_0_255 : GST_VIDEO_COLOR_RANGE_16_235
    switch colorimetry.matrix {
    case .bt601: unsafe frame.info.colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_BT601
    case .bt709: unsafe frame.info.colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_BT709
    case .bt2020: unsafe frame.info.colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_BT2020
    }
    unsafe frame.info.stride.0 = gint(planes.luma.stride)
    unsafe frame.info.stride.1 = gint(planes.chroma.stride)
    unsafe frame.data.0 = UnsafeMutableRawPointer(planes.luma.row(part.y) + part.x)
    unsafe frame.data.1 = UnsafeMutableRawPointer(planes.chroma.row(part.y / 2) + part.x / 2 * 2)
    return unsafe frame
  }
}
