import CGStreamer
import GStreamerVideo
import PixelTypes

/// The matrix and range of the colours of a YCbCr picture.
public typealias Colorimetry = PixelTypes.Colorimetry

/// The properties that all frames of a stream share.
public struct VideoStream: Equatable, Sendable {
  /// The width and the height in pixels.
  public let width: Int, height: Int
  /// The layout of pixels in memory.
  public let format: VideoFormat
  /// The matrix and range of the colours.
  ///
  /// For RGBA, this is the matrix of the YCbCr stream that was converted to RGBA, if known.
  public let colorimetry: Colorimetry
  /// The number of frames per second, or nil for a variable rate.
  public let framesPerSecond: Double?

  /// Creates the description of a stream, for tests of a filter.
  public init(
    width: Int, height: Int, format: VideoFormat,
    colorimetry: Colorimetry = Colorimetry(matrix: .bt709, range: .limited),
    framesPerSecond: Double? = nil
  ) {
    (self.width, self.height, self.format) = (width, height, format)
    (self.colorimetry, self.framesPerSecond) = (colorimetry, framesPerSecond)
  }
}

/// The layout of pixels in memory.
public enum VideoFormat: String, CaseIterable, Sendable {
  /// A plane of luma, and a plane of alternating Cb and Cr, with a pair per two by two pixels.
  case nv12 = "NV12"
  /// Planes of luma, Cb and Cr, with a sample of Cb and of Cr per two by two pixels.
  case i420 = "I420"
  /// Red, green, blue and straight alpha, one byte each.
  case rgba = "RGBA"

  /// The corresponding `PixelFormat`.
  var samples: PixelFormat {
    switch self {
    case .nv12: .nv12
    case .i420: .i420
    case .rgba: .rgba
    }
  }
}

extension VideoStream {
  /// Creates the stream for a negotiated format.
  ///
  /// Returns nil if its buffers do not contain one whole picture of a supported format.
  ///
  /// Safety: `pointer` must be valid during the call.
  init?(_ pointer: UnsafePointer<GstVideoInfo>) {
    let info = unsafe pointer.pointee
    let (width, height) = unsafe (Int(info.width), Int(info.height))
    guard
      case let samples = unsafe PixelFormat(vbgfilter_video_info_format(pointer)),
      let format = VideoFormat.allCases.first(where: { $0.samples == samples }),
      width > 0, height > 0, unsafe info.isOnePicture
    else { return nil }
    let (rate, base) = unsafe (info.fps_n, info.fps_d)
    self.init(
      width: width, height: height, format: format,
      colorimetry: unsafe Colorimetry(info.colorimetry, frameHeight: height),
      framesPerSecond: rate > 0 && base > 0 ? Double(rate) / Double(base) : nil)
  }
}
