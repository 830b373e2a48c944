import Compositing
import GstBackground
import Matting
import PixelTypes
import VirtualBackground

/// The values of the properties that users set, which are copied for each frame.
@dynamicMemberLookup
struct Settings: Equatable, Sendable {
  /// The values of the property `pacing`.
  enum Pacing: Equatable, Sendable {
    case reuseMatte, repeatFrame, dropFrame
  }

  /// The values of the property `effect`.
  enum Effect: Equatable, Sendable {
    case auto, blur, replace, color, transparent, matte, none
  }

  /// The rotation or flip that makes frames upright.
  enum InputOrientation: Equatable, Sendable {
    /// The user set the orientation.
    case fixed(ImageOrientation)
    /// The tag `image-orientation` sets the orientation.
    case auto

    /// The orientation that the user set, or nil for `auto`.
    var fixed: ImageOrientation? {
      if case .fixed(let orientation) = self { orientation } else { nil }
    }
  }

  /// The values of the property `quality`, which selects the network.
  enum QualityChoice: Equatable, Sendable {
    /// The user set the quality.
    case fixed(Quality)
    /// The element selects the best quality that is fast enough on this machine.
    case auto

    /// The quality that the user set.
    ///
    /// For `auto`, the quality to use if the element cannot choose one.
    var quality: Quality {
      if case .fixed(let quality) = self { quality } else { .balanced }
    }
  }

  /// The settings that the engine uses as they are, all but its effect.
  private var engine = EffectSettings()
  var effect = Effect.auto
  var backgroundPath: String?
  var targetFPS = 0.0
  var pacing = Pacing.reuseMatte
  var active = true
  var quality = QualityChoice.fixed(.balanced)
  var model: String?
  /// The subjects to keep, for networks with classes.
  ///
  /// The text is parsed when the property is set, not for each frame.
  var subjectList = SubjectList(propertyText: "person")
  var fit = BackgroundFit.cover
  var inputOrientation = InputOrientation.auto
  var adaptive = false
  /// The maximum share of one core's time, or 0 for no limit.
  var cpuBudget = 0.0
  /// The time between statistics messages in milliseconds, or 0 for no messages.
  var statsInterval: UInt32 = 0
  /// Whether to attach to each frame the matte that it was composed with.
  var attachMatte = false
  var device = "CPU"
  var threads = 0

  /// The subjects to keep, for networks with classes.
  var subjects: Subjects { subjectList.subjects }

  /// A copy without secrets, for the log.
  var shown: Settings {
    var shown = self
    shown.backgroundPath = backgroundPath.map { ShownLocation($0).text }
    return shown
  }

  /// Whether the settings leave the picture unchanged.
  var isNeutral: Bool { !active || effect == .none && engine.framing == .fixed }

  /// Whether the settings require that the real background is hidden.
  ///
  /// False if the settings leave the picture unchanged or blur it with a radius of 0.
  var hidesRoom: Bool {
    let blurs = effect == .blur || effect == .auto && !wantsPlate
    return !isNeutral && copied(showing: effect == .none ? .none : blurs ? .blur : .color).hidesRoom
  }

  /// Whether the element selects the quality.
  var choosesQuality: Bool { quality == .auto && model == nil }

  /// Whether an image or a video must be shown behind the person.
  var wantsPlate: Bool { effect == .replace || (effect == .auto && backgroundPath != nil) }

  /// Returns the settings for the engine, with the effect that can be shown at the moment.
  ///
  /// While a background loads, `effect` may be the previous effect. If the settings hide the real
  /// background and `effect` does not, the result has the effect `color` instead.
  func effectSettings(showing effect: EffectSettings.Effect) -> EffectSettings {
    if self.effect == .none { return copied(showing: .none) }
    let settings = copied(showing: effect)
    return hidesRoom && !settings.hidesRoom ? copied(showing: .color) : settings
  }

  /// Returns the settings for the engine with this effect.
  private func copied(showing effect: EffectSettings.Effect) -> EffectSettings {
    var settings = engine
    settings.effect = effect
    return settings
  }

  subscript<Value>(dynamicMember path: WritableKeyPath<EffectSettings, Value>) -> Value {
    get { engine[keyPath: path] }
    set { engine[keyPath: path] = newValue }
  }
}
