import Compositing
import GstBackground
import InferenceTypes
import PixelTypes
import VirtualBackground

/// The user's settings: always valid, copied for each frame.
struct Settings: Equatable, Sendable {
  enum Pacing: Equatable, Sendable {
    case reuseMatte, repeatFrame, dropFrame
  }

  enum Effect: Equatable, Sendable {
    case auto, blur, replace, color, transparent, matte, none
  }

  /// The rotation that makes frames upright.
  enum InputOrientation: Equatable, Sendable {
    case fixed(ImageOrientation)
    /// From the tag `image-orientation`.
    case auto

    /// The orientation that the user set, or nil for `auto`.
    var fixed: ImageOrientation? {
      if case .fixed(let orientation) = self { orientation } else { nil }
    }
  }

  /// The network that finds the person.
  enum QualityChoice: Equatable, Sendable {
    case fixed(Quality)
    /// The best quality that is fast enough on this machine.
    case auto

    /// The quality to begin with if no measurement is known.
    var quality: Quality {
      switch self {
      case .fixed(let quality): quality
      case .auto: .balanced
      }
    }
  }

  var effect = Effect.auto
  var backgroundPath: String?
  var backgroundColor: UInt32 = 0xff00_ff00
  var blurRadius = 10.0
  var targetFPS = 0.0
  var pacing = Pacing.reuseMatte
  var inference = EffectSettings.Inference.whenNeeded
  var active = true
  var quality = QualityChoice.fixed(.balanced)
  var model: String?
  /// The subjects to keep, for networks that know classes, parsed once and not for each frame.
  var subjectList = SubjectList("person")
  var fit = BackgroundFit.cover
  var inputOrientation = InputOrientation.auto
  var keep = EffectSettings.Keep.everyone
  var matteGrow = 0.0
  var matteFeather = 0.0
  var smoothing = 0.5
  var despill = true
  var lightWrap = 0.0
  var onFailure = EffectSettings.FailurePolicy.blur
  var adaptive = false
  /// Share of one core's time, or 0 for no limit.
  var cpuBudget = 0.0
  /// Milliseconds, or 0 for never.
  var statsInterval: UInt32 = 0
  /// Whether frames carry the matte that they were composed with.
  var attachMatte = false
  var device = "CPU"
  var threads = 0

  /// The subjects to keep, for networks that know classes.
  var subjects: Subjects { subjectList.subjects }

  /// The same settings without secrets, for the log.
  var shown: Settings {
    var shown = self
    shown.backgroundPath = backgroundPath.map { ShownLocation($0).text }
    return shown
  }

  /// Whether the settings leave the picture unchanged.
  var isNeutral: Bool { !active || effect == .none }

  /// Whether the room must be hidden: no setting shows it.
  var hidesRoom: Bool { !isNeutral && copied(showing: wantedEffect).hidesRoom }

  /// Whether the element chooses the quality.
  var choosesQuality: Bool { quality == .auto && model == nil }

  /// Whether an image goes behind the person.
  var wantsPlate: Bool { effect == .replace || (effect == .auto && backgroundPath != nil) }

  /// The settings for the core, with the effect that can be shown at the moment.
  ///
  /// Until a background is there, that may be the previous effect. It is never one that leaves the
  /// room sharp, if the settings hide it.
  func effectSettings(showing effect: EffectSettings.Effect) -> EffectSettings {
    let settings = copied(showing: effect)
    return hidesRoom && !settings.hidesRoom ? copied(showing: .color) : settings
  }

  /// The effect to show once everything that it needs is loaded.
  private var wantedEffect: EffectSettings.Effect {
    switch effect {
    case .replace: .replace
    case .color: .color
    case .transparent: .transparent
    case .matte: .matte
    case .auto, .blur, .none: wantsPlate ? .replace : .blur
    }
  }

  private func copied(showing effect: EffectSettings.Effect) -> EffectSettings {
    var settings = EffectSettings()
    settings.effect = effect
    settings.backgroundColor = backgroundColor
    settings.blurRadius = blurRadius
    settings.inference = inference
    settings.keep = keep
    settings.matteGrow = matteGrow
    settings.matteFeather = matteFeather
    settings.smoothing = smoothing
    settings.despill = despill
    settings.lightWrap = lightWrap
    settings.onFailure = onFailure
    return settings
  }
}
