import InferenceTypes

/// A network that is asked for, made ready for frames of one size.
public struct NetworkRequest: Equatable, Sendable {
  /// Where the network comes from.
  public enum Source: Equatable, Sendable {
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

  /// Where the network comes from.
  public var source: Source
  /// OpenVINO's name of the device, `CPU` for example.
  public var device: String
  /// Threads of an inference; 0 leaves the choice to the device.
  public var threads: Int
  /// Columns of the frames.
  public var frameWidth: Int
  /// Rows of the frames.
  public var frameHeight: Int
  /// Whether the inferences are to be measured.
  public var isMeasured: Bool

  /// Makes a request.
  public init(
    _ source: Source, device: String = "CPU", threads: Int, frameWidth: Int, frameHeight: Int,
    isMeasured: Bool = false
  ) {
    self.source = source
    self.device = device
    self.threads = threads
    self.frameWidth = frameWidth
    self.frameHeight = frameHeight
    self.isMeasured = isMeasured
  }
}

/// A network that is ready, and where it came from.
///
/// Made on the loading thread, which keeps no reference to the segmenters, and used from then on by
/// the streaming thread alone: that is what makes it fit to be handed over.
public struct LoadedNetwork: @unchecked Sendable {
  /// Find the people, whole and close up.
  public let segmenters: Segmenters
  /// The file of the network.
  public let path: String
  /// The quality it belongs to; nil for a file that the user named.
  public let quality: Quality?
  /// Why it is not the network that was asked for in the first place; empty when it is.
  public let fallbackReasons: [String]
  /// What it was asked to keep and does not know; nil when there is no such thing.
  public let unsupportedSubjects: Subjects?
  /// What the inference that most frames get takes; nil unless that was asked for.
  public let cost: InferenceCost?
}
