import CGStreamer
import GstBackground
import GstElementSupport
import InferenceTypes
import VirtualBackground

extension ElementFault {
  /// An image is to be shown, and none is named.
  static let noBackgroundPath = resource(
    GST_RESOURCE_ERROR_SETTINGS,
    "effect=replace needs an image: set background-path to the path of one")

  /// There is no memory to work on frames of a format.
  static func noMemory(for format: FrameFormat) -> Self {
    let megabytes = VirtualBackgroundEngine.memory(for: format) / 1_000_000 + 1
    return resource(
      GST_RESOURCE_ERROR_NO_SPACE_LEFT,
      "There is no memory for frames of \(format.width)x\(format.height), which take up to "
        + "\(megabytes) MB: scale them down before this element, or let the program have more memory."
    )
  }

  /// There is no matte, or no network to make one.
  init(_ error: SegmentationError) {
    switch error.kind {
    case .modelNotFound: self = .resource(GST_RESOURCE_ERROR_NOT_FOUND, error.description)
    case .modelUnreadable: self = .resource(GST_RESOURCE_ERROR_OPEN_READ, error.description)
    case .modelUnknown, .runtimeUnavailable:
      self = .resource(GST_RESOURCE_ERROR_FAILED, error.description)
    case .deviceRefused, .descriptionInvalid, .subjectUnknown:
      self = .resource(GST_RESOURCE_ERROR_SETTINGS, error.description)
    case .inferenceFailed: self = .stream(error.description)
    }
  }

  /// There is no background.
  init(_ error: BackgroundError) {
    let code =
      switch error.kind {
      case .notFound: GST_RESOURCE_ERROR_NOT_FOUND
      case .notAFile, .unreadable: GST_RESOURCE_ERROR_OPEN_READ
      case .empty, .notAnImage, .damaged: GST_RESOURCE_ERROR_READ
      case .outOfMemory: GST_RESOURCE_ERROR_NO_SPACE_LEFT
      case .missingPlugin, .tooLarge, .timedOut, .cancelled, .failed: GST_RESOURCE_ERROR_FAILED
      }
    self = .resource(code, error.description)
  }
}

extension SegmentationError {
  /// Says that no model is installed; `named` is the runtime folder that the environment names.
  static func noneInstalled(in folder: String, named: String?) -> Self {
    let variable = named.map {
      "correct the variable VBGFILTER_RUNTIME_DIR, which is set to \($0)"
        + ($0.hasPrefix("/") ? ", " : " and has to be an absolute path, ")
    }
    return Self(
      .modelNotFound,
      "No model is installed in \(folder): \(variable ?? "")run ./meson-helper/bootstrap, put one "
        + "of \(QualityLadder.files.joined(separator: ", ")) there, or name a model's file with the "
        + "property model.")
  }
}
