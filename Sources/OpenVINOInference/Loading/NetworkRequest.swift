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
