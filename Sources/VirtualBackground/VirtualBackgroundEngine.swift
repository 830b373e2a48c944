import PixelTypes

/// What became of a frame.
public enum FrameOutcome: Equatable, Sendable {
  /// The background is hidden by the effect; `inferred` tells whether the matte is this frame's own.
  case composed(inferred: Bool)
  /// There was no matte; the frame was painted over as `onFailure` says.
  case hidden(SegmentationError)
  /// There was no matte and the frame is not to go out: drop it, with a QoS message at most.
  case dropped(SegmentationError)
  /// There was no matte and the stream is to end with an error.
  case failed(SegmentationError)
}

/// Counts and times since the engine was made.
public struct EngineStatistics: Equatable, Sendable {
  /// Frames that were given to `process`.
  public var frames: UInt64 = 0
  /// Inferences that succeeded.
  public var inferences: UInt64 = 0
  /// Frames without a matte of any age.
  public var failures: UInt64 = 0
  /// Nanoseconds that the last frame spent in each stage.
  public var prepareTime: UInt64 = 0
  /// The network itself.
  public var inferenceTime: UInt64 = 0
  /// Smoothing, growing and feathering.
  public var matteTime: UInt64 = 0
  /// Blur or plate, and the blend.
  public var compositeTime: UInt64 = 0

  /// All zero.
  public init() {}
}

/// Frame in, frame out: hides the room behind a person.
///
/// Buffers and tables are made when the format, the network or the settings change; a frame in
/// steady state allocates nothing. Used on one thread at a time.
public final class VirtualBackgroundEngine {
  /// What happened so far.
  public private(set) var statistics = EngineStatistics()

  /// Makes an engine that works with the given kernels.
  public init(kernels: any RowKernels.Type) {}

  /// Takes frames of `format` from now on; forgets everything of the frames before.
  public func configure(for format: FrameFormat) {}

  /// Uses another network from the next frame on; nil for none.
  public func use(_ segmenter: (any Segmenter)?) {}

  /// Shows another plate from the next frame on; nil for none.
  public func use(_ plate: Plate?) {}

  /// Forgets what was remembered of earlier frames: after a flush, a gap or a pause of the effect.
  public func forgetPast() {}

  /// Hides the room in `frame`, in place.
  ///
  /// The frame has the configured format. `time` is its presentation time in nanoseconds, nil when
  /// it has none; it paces the inferences.
  public func process(
    _ frame: Frame, settings: EffectSettings, time: UInt64?
  ) -> FrameOutcome { .composed(inferred: false) }

  /// Paints over a frame that cannot be matted at all, as `settings.onFailure` says.
  ///
  /// For frames whose pixels are not to be had (`pixelsAreValid` false) a blur becomes a colour.
  public func hide(
    _ frame: Frame, settings: EffectSettings, because error: SegmentationError,
    pixelsAreValid: Bool
  ) -> FrameOutcome { .hidden(error) }
}
