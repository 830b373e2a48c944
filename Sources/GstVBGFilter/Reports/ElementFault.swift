import CGStreamer
import GstBackground
import GstElementSupport
import Matting
import PixelTypes
import VirtualBackground

extension ElementFault {
  /// The error for an effect that needs a background, if `background-path` is not set.
  static let noBackgroundPath = resource(
    GST_RESOURCE_ERROR_SETTINGS,
    "effect=replace needs an image: set background-path to the path of an image or video"
  ).refusing("background-path", "")

  /// The warning for effect=transparent if downstream does not accept alpha.
  static let noAlpha = resource(
    GST_RESOURCE_ERROR_SETTINGS,
    "effect=transparent shows background-color: downstream does not accept alpha. Put an "
      + "element that takes RGBA after this one. If that is a compositor, put "
      + "\"! videoconvert\" after the compositor.")

  /// Returns the error for frames of a format that do not fit in the memory.
  static func noMemory(for format: FrameFormat) -> Self {
    let megabytes = VirtualBackgroundEngine.memory(for: format) / 1_000_000 + 1
    return resource(
      GST_RESOURCE_ERROR_NO_SPACE_LEFT,
      "There is not enough memory for frames of \(format.width)x\(format.height) (up to "
        + "\(megabytes) MB): scale them down before this element, or give the program more memory."
    )
  }

  /// Creates the error for video that is not supported although its pixel format is.
  ///
  /// Returns nil if the video is supported.
  ///
  /// Safety: `info` must be valid during the call.
  init?(refusing info: UnsafePointer<GstVideoInfo>) {
    let info = unsafe info.pointee
    let text: String
    if unsafe info.interlace_mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE {
      text = "Interlaced video is not supported: put \"deinterlace !\" before this element."
    } else if unsafe info.views > 1 {
      text =
        "Multiview video is not supported: put an element that selects one view before this one."
    } else if unsafe info.colorimetry.transfer == GST_VIDEO_TRANSFER_ARIB_STD_B67 {
      // Networks and background pictures have standard dynamic range. HLG is designed to be shown
      // with standard dynamic range too, so the message names a simple conversion.
      text =
        "HDR video (HLG) is not supported: put \"capssetter caps=video/x-raw,colorimetry=bt2020 ! "
        + "videoconvert gamma-mode=remap primaries-mode=merge-only ! "
        + "video/x-raw,format=NV12,colorimetry=bt709 !\" before this element."
    } else if unsafe info.colorimetry.transfer == GST_VIDEO_TRANSFER_SMPTE2084 {
      text =
        "HDR video (PQ) is not supported: put a tone mapper before this element (\"vapostproc "
        + "hdr-tone-mapping=true !\" on a suitable GPU), or convert the video with ffmpeg's filter "
        + "tonemap. videoconvert would make it too dark."
    } else {
      return nil
    }
    self = .stream(text, code: GST_STREAM_ERROR_WRONG_TYPE)
  }

  /// Creates the error for a network that the settings request and that cannot be used.
  init(_ error: SegmentationError, for settings: Settings) {
    self.init(error)
    switch error.kind {
    case .runtimeUnavailable, .inferenceFailed, .tooLate: break
    case .deviceRefused: self = refusing("device", settings.device)
    case .subjectUnknown: self = refusing("subjects", settings.subjectList.text)
    case .modelNotFound, .modelUnreadable, .modelUnknown, .descriptionInvalid:
      self =
        settings.model.map { refusing("model", $0) }
        ?? refusing("quality", settings.quality.nick)
    }
  }

  /// Creates the error for a network or an inference that failed.
  init(_ error: SegmentationError) {
    switch error.kind {
    case .modelNotFound: self = .resource(GST_RESOURCE_ERROR_NOT_FOUND, error.description)
    case .modelUnreadable: self = .resource(GST_RESOURCE_ERROR_OPEN_READ, error.description)
    case .modelUnknown, .runtimeUnavailable:
      self = .resource(GST_RESOURCE_ERROR_FAILED, error.description)
    case .deviceRefused, .descriptionInvalid, .subjectUnknown:
      self = .resource(GST_RESOURCE_ERROR_SETTINGS, error.description)
    case .inferenceFailed, .tooLate: self = .stream(error.description)
    }
  }

  /// Creates the error for a background that cannot be used.
  init(_ error: BackgroundError) {
    let code =
      switch error.kind {
      case .notFound: GST_RESOURCE_ERROR_NOT_FOUND
      case .notAFile, .unreadable: GST_RESOURCE_ERROR_OPEN_READ
      case .empty, .notAnImage, .damaged: GST_RESOURCE_ERROR_READ
      case .outOfMemory: GST_RESOURCE_ERROR_NO_SPACE_LEFT
      case .missingPlugin, .unsupported, .tooLarge, .timedOut, .cancelled, .failed:
        GST_RESOURCE_ERROR_FAILED
      }
    self = .resource(code, error.description).refusing("background-path", error.location)
  }
}

extension SegmentationError {
  /// Returns the error for a `folder` without any model.
  ///
  /// `named` is the runtime folder that the environment names, if it names one.
  static func noneInstalled(in folder: String, named: String?) -> Self {
    let variable = named.map {
      "correct the variable VBGFILTER_RUNTIME_DIR, which is set to \($0)"
        + ($0.hasPrefix("/") ? ", " : " and must be an absolute path, ")
    }
    return Self(
      .modelNotFound,
      "No model is installed in \(folder): \(variable ?? "")\(SegmentationError.reinstallation), "
        + "put one of \(QualityLadder.files.joined(separator: ", ")) there, or set the property "
        + "model to a model file.")
  }
}
