import PixelTypes
import Threads

/// A frame and the parameters for its matte.
package struct MatteInput {
  /// The frame at the size of the matte, upright.
  package var picture: Frame
  /// The time of the frame in nanoseconds.
  package let time: UInt64
  /// Whether the time is known, not estimated.
  package var hasKnownTime = true
  /// The user's settings of the matte.
  package let settings: MatteSettings
  /// The frames that get an inference.
  package let inference: MatteSettings.Inference
  /// A mask for this frame that replaces the networks, or nil.
  package var mask: PersonMask?
  /// Whether an inference is due.
  package var isInferenceDue = true
  /// The nanoseconds between two frames of a live stream, which should not wait for inferences.
  ///
  /// Nil if frames wait.
  package var liveInterval: UInt64?
  /// Whether a live frame may be hidden if the wait for its matte is too long.
  package var mayBeHidden = true

  /// Creates the input for a frame for which an inference is due.
  package init(
    picture: Frame, time: UInt64, settings: MatteSettings, inference: MatteSettings.Inference
  ) {
    (self.picture, self.time) = (picture, time)
    (self.settings, self.inference) = (settings, inference)
  }
}

/// The result of a frame's matte.
package struct MatteResult {
  /// The source of the matte.
  package enum Source: Equatable {
    /// The frame itself.
    case ownFrame
    /// The warped matte of an earlier frame.
    case earlierFrame
    /// The frame has no matte, because it would wait too long.
    case tooLate
  }

  /// The source of the matte.
  package var source: Source
  /// The times of an inference that ran alongside the stream and that this frame is the first to
  /// use.
  package var finished: StageClock?
}

/// Measures the time of each stage of a frame, in nanoseconds.
package struct StageClock {
  package var prepare: UInt64 = 0, inference: UInt64 = 0, matte: UInt64 = 0
  package var composite: UInt64 = 0
  /// CPU time of the networks' helper threads, in nanoseconds.
  package var helperTime: UInt64 = 0
  private var last = SystemClock.time

  /// The time of all stages in nanoseconds.
  var total: UInt64 { prepare &+ inference &+ matte &+ composite }

  /// Starts the first stage.
  package init() {}

  /// Adds the time since the end of the last stage to `stage`.
  package mutating func finish(_ stage: WritableKeyPath<StageClock, UInt64>) {
    let now = SystemClock.time
    self[keyPath: stage] &+= now &- last
    last = now
  }
}
