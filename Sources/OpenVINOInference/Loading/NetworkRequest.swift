import Matting

/// A request for a network that is ready for frames of one size.
public struct NetworkRequest: Equatable, Sendable {
  /// The origin of the network.
  public enum Source: Equatable, Sendable {
    /// A file that the user selected, with `lines` input lines if its network accepts any size.
    case file(String, lines: Int, subjects: Subjects)
    /// The ladder of installed networks.
    case ladder(Quality, subjects: Subjects)

    /// The subjects to keep.
    var subjects: Subjects {
      switch self {
      case .file(_, _, let subjects), .ladder(_, let subjects): subjects
      }
    }
  }

  /// The origin of the network.
  public var source: Source
  /// OpenVINO's name of the device, for example `CPU`.
  public var device: String
  /// The number of threads per inference, or 0 to let the device choose.
  public var threads: Int
  /// The width of the frames in pixels.
  public var frameWidth: Int
  /// The height of the frames in pixels.
  public var frameHeight: Int
  /// Whether to measure the cost of an inference.
  public var isMeasured: Bool

  /// Creates a request.
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

/// A network that is ready, and its origin.
///
/// Sendable because only one thread at a time uses the segmenters: the loading thread until they
/// are loaded, then the streaming thread, or the side thread during a job.
public struct LoadedNetwork: @unchecked Sendable {
  /// The segmenters for the whole frame and for the crop.
  public let segmenters: Segmenters
  /// The file of the network.
  public let path: String
  /// The quality of the network, or nil for a file that the user selected.
  public let quality: Quality?
  /// The reasons why better networks failed, or empty if this is the requested network.
  public let fallbackReasons: [String]
  /// The requested subjects if the network does not support them, otherwise nil.
  public let unsupportedSubjects: Subjects?
  /// The cost of an inference, or nil if the request did not ask for a measurement.
  public let cost: InferenceCost?
}
