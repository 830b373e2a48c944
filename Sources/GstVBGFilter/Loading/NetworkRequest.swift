import InferenceTypes
import VirtualBackground

/// A network that the settings ask for, made ready for frames of one size.
struct NetworkRequest: Equatable, Sendable {
  /// Where the network comes from.
  enum Source: Equatable, Sendable {
    /// From a file that the user named, to keep so and so; run at so many lines if it takes any size.
    case file(String, lines: Int, subjects: Subjects)
    /// From the ladder of installed networks.
    case ladder(Quality, subjects: Subjects)

    /// What is to be kept.
    var subjects: Subjects {
      switch self {
      case .file(_, _, let subjects), .ladder(_, let subjects): subjects
      }
    }
  }

  var source: Source
  var device: String
  var threads: Int
  var frameWidth: Int
  var frameHeight: Int
}

/// A network that is ready, and where it came from.
///
/// Made on the loading thread, which keeps no reference to the segmenters, and used from then on by
/// the streaming thread alone: that is what makes it fit to be handed over.
struct Network: @unchecked Sendable {
  let segmenters: Segmenters
  /// The file of the network.
  let path: String
  /// Which quality it stands for; nil for a file that the user named.
  let quality: Quality?
  /// Why it is not the network that was asked for in the first place; empty when it is.
  let fallbackReasons: [String]
  /// What it was asked to keep and does not know; nil when there is no such thing.
  let unsupportedSubjects: Subjects?
}

extension NetworkRequest {
  /// The network that the settings ask for.
  init(_ settings: Settings, device: String, threads: Int, frameWidth: Int, frameHeight: Int) {
    source = .ladder(settings.quality, subjects: settings.subjects)
    if let path = settings.model {
      source = .file(
        path, lines: settings.quality == .accurate ? 288 : 144, subjects: settings.subjects)
    }
    self.device = device
    self.threads = threads
    self.frameWidth = frameWidth
    self.frameHeight = frameHeight
  }
}
