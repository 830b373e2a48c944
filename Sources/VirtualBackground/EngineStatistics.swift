import Compositing

/// Counts since the engine was created, and the times of the last frame.
public struct EngineStatistics: Equatable, Sendable {
  /// Frames that were passed to `process` or `hide`.
  public var frames: UInt64 = 0
  /// Inferences that succeeded.
  public var inferences: UInt64 = 0
  /// Frames without a matte.
  public var failures: UInt64 = 0
  /// The share of the frame that the last matte covers, 0 to 1.
  public var coverage = 0.0
  /// The part of the last frame that was shown.
  public var region = ShownRegion.whole
  /// Nanoseconds for the conversion of the last frame to the network's input.
  public var prepareTime: UInt64 = 0
  /// Nanoseconds for the network in the last frame with an inference.
  public var inferenceTime: UInt64 = 0
  /// Nanoseconds for the last matte, from the network's output on.
  public var matteTime: UInt64 = 0
  /// Nanoseconds for the background and the blend of the last frame.
  public var compositeTime: UInt64 = 0

  /// Creates statistics that are all zero.
  public init() {}
}
