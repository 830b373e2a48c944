import VirtualBackground

/// What is done with a frame.
enum FramePlan: Equatable {
  /// It gets an inference of its own.
  case infer
  /// It is blended with the last matte.
  case reuseMatte
  /// The last result goes out again, with this frame's times.
  case repeatFrame
  /// Nothing goes out.
  case drop
}

/// Decides what is done with each frame: how often there is an inference, and what happens between.
struct FramePlanner {
  private var pacer = Pacer()
  private var framesSinceInference = 0
  private var lastLook: Look?

  /// Settings whose change shows at once, at any pace.
  private struct Look: Equatable {
    let effect: Settings.Effect
    let backgroundPath: String?
    let backgroundColor: UInt32
  }

  /// Plans the frame at `time` nanoseconds.
  ///
  /// `needsMatte` says that the last matte cannot be used again, `hasResult` that there is a last result. One
  /// in `interval` of the frames that the settings would let have an inference gets one; the others
  /// are blended with the last matte, for they are not what `pacing` speaks of.
  mutating func plan(
    _ settings: Settings, time: UInt64?, needsMatte: Bool, hasResult: Bool, interval: Int
  ) -> FramePlan {
    let look = Look(
      effect: settings.effect, backgroundPath: settings.backgroundPath,
      backgroundColor: settings.backgroundColor)
    let isForced = needsMatte || look != lastLook
    lastLook = look
    if isForced { pacer.reset() }
    if pacer.isDue(at: time, targetFPS: settings.targetFPS) || isForced {
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
