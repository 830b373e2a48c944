import Matting
import VirtualBackground

/// The way to process a frame.
enum FramePlan: Equatable {
  /// The frame gets its own inference.
  case infer
  /// The frame is composed with the last matte.
  case reuseMatte
  /// The last result is sent again, with the times of this frame.
  case repeatFrame
  /// Nothing is sent.
  case drop
}

/// Decides which frames get an inference, and how the other frames are processed.
struct FramePlanner {
  private var clock = FrameClock()
  private var pacer = Pacer()
  private var framesSinceInference = 0
  private var lastLook: Look?

  /// The settings that force an inference when they change, so that they take effect at once.
  private struct Look: Equatable {
    let effect: Settings.Effect
    let backgroundPath: String?
    let backgroundColor: UInt32
    let keep: MatteSettings.Keep
  }

  /// Plans the next frame.
  ///
  /// `target-fps` decides which frames may get an inference. Among these frames, one in `interval`
  /// gets an inference, and the others reuse the last matte. `pacing` applies only to the frames
  /// that `target-fps` skips.
  ///
  /// `time` is the timestamp of the frame, and `duration` the negotiated duration of a frame, both
  /// in nanoseconds. `needsMatte` forces an inference, because the last matte cannot be reused. If
  /// `hasResult` is false, there is no last result to send again.
  mutating func plan(
    _ settings: Settings, time: UInt64?, duration: UInt64?, needsMatte: Bool, hasResult: Bool,
    interval: Int
  ) -> FramePlan {
    clock.advance(to: time, duration: duration)
    let look = Look(
      effect: settings.effect, backgroundPath: settings.backgroundPath,
      backgroundColor: settings.backgroundColor, keep: settings.matte.keep)
    let isForced = needsMatte || look != lastLook
    lastLook = look
    if isForced { pacer.reset() }
    // Without a timestamp or a negotiated frame rate, the time is unknown.
    let now = clock.isKnown ? clock.now : nil
    if pacer.isDue(at: now, targetFPS: settings.targetFPS) || isForced {
      framesSinceInference += 1
      guard isForced || framesSinceInference >= interval else { return .reuseMatte }
      framesSinceInference = 0
      return .infer
    }
    switch settings.pacing {
    case .reuseMatte: return .reuseMatte
    case .repeatFrame: return hasResult ? .repeatFrame : .reuseMatte
    case .dropFrame: return .drop
    }
  }
}

/// The state of a frame while it is processed, from the arrival of its buffer on.
struct FrameContext {
  /// The settings when the buffer arrived.
  let settings: Settings
  /// The presentation time in nanoseconds, or nil if it is missing.
  let time: UInt64?
  /// The presentation time as running time, or nil if it is missing or outside of the segment.
  let runningTime: UInt64?
  /// The way to process the frame.
  var plan = FramePlan.infer
  /// Whether the result hides the real background, so that it may be sent again for another frame.
  var resultHidesRoom = false
}
