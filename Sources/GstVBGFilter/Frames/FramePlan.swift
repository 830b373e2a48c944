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

  /// The time of the last frame, in nanoseconds since the first frame.
  ///
  /// It is nil if the timestamp cannot be used and no frame rate was negotiated.
  var time: UInt64? { clock.isKnown ? clock.now : nil }

  /// Plans the next frame.
  ///
  /// `target-fps` decides which frames may get an inference. Among these frames, one in `interval`
  /// gets an inference, and the others reuse the last matte. `pacing` applies only to the frames
  /// that `target-fps` skips.
  ///
  /// - Parameters:
  ///   - settings: the settings of the frame.
  ///   - time: the timestamp of the frame in nanoseconds, if it has one.
  ///   - duration: the negotiated duration of a frame in nanoseconds, if known.
  ///   - needsMatte: true if the last matte cannot be reused, which forces an inference.
  ///   - hasResult: true if there is a last result that can be sent again.
  ///   - interval: among the frames that may get an inference, one in this many gets it.
  /// - Returns: the way to process the frame.
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
    if pacer.isDue(at: self.time, targetFPS: settings.targetFPS) || isForced {
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
