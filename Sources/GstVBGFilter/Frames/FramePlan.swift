import VirtualBackground

/// The treatment of a frame.
enum FramePlan: Equatable {
  /// It gets its own inference.
  case infer
  /// It is blended with the last matte.
  case reuseMatte
  /// The last result goes out again, with this frame's times.
  case repeatFrame
  /// Nothing goes out.
  case drop
}

/// Decides how each frame is treated: how often there is an inference, and how the others are made.
struct FramePlanner {
  private var clock = FrameClock()
  private var pacer = Pacer()
  private var framesSinceInference = 0
  private var lastLook: Look?

  /// Settings that take effect at once when they change, at any pace.
  private struct Look: Equatable {
    let effect: Settings.Effect
    let backgroundPath: String?
    let backgroundColor: UInt32
    let keep: EffectSettings.Keep
  }

  /// The time of the last frame in nanoseconds since the first.
  ///
  /// Nil if its timestamp cannot be used and no frame rate was negotiated.
  var time: UInt64? { clock.isKnown ? clock.now : nil }

  /// Plans the frame with the timestamp `time`.
  ///
  /// `time` and `duration`, the negotiated duration of a frame, are in nanoseconds. `needsMatte`
  /// means that the last matte cannot be reused, `hasResult` that there is a last result. One in
  /// `interval` of the frames that the settings allow an inference gets one. The others are blended
  /// with the last matte, since `pacing` only applies to frames skipped by `target-fps`.
  mutating func plan(
    _ settings: Settings, time: UInt64?, duration: UInt64?, needsMatte: Bool, hasResult: Bool,
    interval: Int
  ) -> FramePlan {
    clock.advance(to: time, duration: duration)
    let look = Look(
      effect: settings.effect, backgroundPath: settings.backgroundPath,
      backgroundColor: settings.backgroundColor, keep: settings.keep)
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
