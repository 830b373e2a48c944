import CGStreamer
import CVBGFilter
import VirtualBackground

// The properties as GObject sees them: GValues in, GValues out. GObject has checked the range of a
// value before it gets here, except for what floating point and hand-made GValues let through.

extension Settings {
  /// Takes over the value of a property.
  ///
  /// Safety: `value` is valid during the call and holds what the property's specification says.
  mutating func set(_ property: VBGProperty, to value: UnsafePointer<GValue>) {
    switch property {
    case VBG_PROPERTY_EFFECT:
      effect = unsafe Self.effects.value(of: g_value_get_enum(value)) ?? effect
    case VBG_PROPERTY_BACKGROUND_PATH:
      backgroundPath = unsafe Self.string(value)
    case VBG_PROPERTY_BACKGROUND_COLOR:
      backgroundColor = unsafe g_value_get_uint(value)
    case VBG_PROPERTY_BLUR_RADIUS:
      blurRadius = unsafe number(value, in: 0...VBG_MAXIMUM_BLUR_RADIUS) ?? blurRadius
    case VBG_PROPERTY_TARGET_FPS:
      targetFPS = unsafe number(value, in: 0...VBG_MAXIMUM_TARGET_FPS) ?? targetFPS
    case VBG_PROPERTY_PACING:
      pacing = unsafe Self.pacings.value(of: g_value_get_enum(value)) ?? pacing
    case VBG_PROPERTY_SKIP_STILL:
      skipStill = unsafe g_value_get_boolean(value) != 0
    case VBG_PROPERTY_ACTIVE:
      active = unsafe g_value_get_boolean(value) != 0
    case VBG_PROPERTY_QUALITY:
      quality = unsafe Self.qualities.value(of: g_value_get_enum(value)) ?? quality
    case VBG_PROPERTY_MODEL:
      model = unsafe Self.string(value)
    case VBG_PROPERTY_FIT:
      fit = unsafe Self.fits.value(of: g_value_get_enum(value)) ?? fit
    case VBG_PROPERTY_KEEP:
      keep = unsafe Self.keeps.value(of: g_value_get_enum(value)) ?? keep
    case VBG_PROPERTY_MATTE_GROW:
      let range = -VBG_MAXIMUM_MATTE_GROW...VBG_MAXIMUM_MATTE_GROW
      matteGrow = unsafe number(value, in: range) ?? matteGrow
    case VBG_PROPERTY_MATTE_FEATHER:
      let range = -VBG_MAXIMUM_MATTE_FEATHER...VBG_MAXIMUM_MATTE_FEATHER
      matteFeather = unsafe number(value, in: range) ?? matteFeather
    case VBG_PROPERTY_SMOOTHING:
      smoothing = unsafe number(value, in: 0...1) ?? smoothing
    case VBG_PROPERTY_DESPILL:
      despill = unsafe g_value_get_boolean(value) != 0
    case VBG_PROPERTY_LIGHT_WRAP:
      lightWrap = unsafe number(value, in: 0...1) ?? lightWrap
    case VBG_PROPERTY_ON_FAILURE:
      onFailure = unsafe Self.policies.value(of: g_value_get_enum(value)) ?? onFailure
    case VBG_PROPERTY_ADAPTIVE:
      adaptive = unsafe g_value_get_boolean(value) != 0
    case VBG_PROPERTY_CPU_BUDGET:
      cpuBudget = unsafe number(value, in: 0...VBG_MAXIMUM_CPU_BUDGET) ?? cpuBudget
    case VBG_PROPERTY_STATS_INTERVAL:
      statsInterval = unsafe g_value_get_uint(value)
    case VBG_PROPERTY_ATTACH_MATTE:
      attachMatte = unsafe g_value_get_boolean(value) != 0
    case VBG_PROPERTY_DEVICE:
      device = unsafe Self.string(value) ?? VBG_DEFAULT_DEVICE
    case VBG_PROPERTY_THREADS:
      threads = unsafe min(Int(g_value_get_uint(value)), Int(VBG_MAXIMUM_THREADS))
    default:
      // `stats` is read-only; `subjects` takes a while and has `setSubjects`.
      break
    }
  }

  /// Writes the value of a property; `stats` is not among the settings.
  ///
  /// Safety: `value` is valid during the call and of the property's type.
  func get(_ property: VBGProperty, into value: UnsafeMutablePointer<GValue>) {
    switch property {
    case VBG_PROPERTY_EFFECT: unsafe g_value_set_enum(value, Self.effects.number(of: effect))
    case VBG_PROPERTY_BACKGROUND_PATH: unsafe g_value_set_string(value, backgroundPath)
    case VBG_PROPERTY_BACKGROUND_COLOR: unsafe g_value_set_uint(value, backgroundColor)
    case VBG_PROPERTY_BLUR_RADIUS: unsafe g_value_set_double(value, blurRadius)
    case VBG_PROPERTY_TARGET_FPS: unsafe g_value_set_double(value, targetFPS)
    case VBG_PROPERTY_PACING:
      unsafe g_value_set_enum(value, Self.pacings.number(of: pacing))
    case VBG_PROPERTY_SKIP_STILL: unsafe g_value_set_boolean(value, skipStill ? 1 : 0)
    case VBG_PROPERTY_ACTIVE: unsafe g_value_set_boolean(value, active ? 1 : 0)
    case VBG_PROPERTY_QUALITY: unsafe g_value_set_enum(value, Self.qualities.number(of: quality))
    case VBG_PROPERTY_MODEL: unsafe g_value_set_string(value, model)
    case VBG_PROPERTY_SUBJECTS:
      unsafe g_value_set_string(value, subjectList)
    case VBG_PROPERTY_FIT: unsafe g_value_set_enum(value, Self.fits.number(of: fit))
    case VBG_PROPERTY_KEEP: unsafe g_value_set_enum(value, Self.keeps.number(of: keep))
    case VBG_PROPERTY_MATTE_GROW: unsafe g_value_set_double(value, matteGrow)
    case VBG_PROPERTY_MATTE_FEATHER: unsafe g_value_set_double(value, matteFeather)
    case VBG_PROPERTY_SMOOTHING: unsafe g_value_set_double(value, smoothing)
    case VBG_PROPERTY_DESPILL: unsafe g_value_set_boolean(value, despill ? 1 : 0)
    case VBG_PROPERTY_LIGHT_WRAP: unsafe g_value_set_double(value, lightWrap)
    case VBG_PROPERTY_ON_FAILURE:
      unsafe g_value_set_enum(value, Self.policies.number(of: onFailure))
    case VBG_PROPERTY_ADAPTIVE: unsafe g_value_set_boolean(value, adaptive ? 1 : 0)
    case VBG_PROPERTY_CPU_BUDGET: unsafe g_value_set_double(value, cpuBudget)
    case VBG_PROPERTY_STATS_INTERVAL: unsafe g_value_set_uint(value, statsInterval)
    case VBG_PROPERTY_ATTACH_MATTE: unsafe g_value_set_boolean(value, attachMatte ? 1 : 0)
    case VBG_PROPERTY_DEVICE: unsafe g_value_set_string(value, device)
    case VBG_PROPERTY_THREADS: unsafe g_value_set_uint(value, guint(threads))
    default: break
    }
  }

  /// The value of `subjects` as a text.
  static func subjectList(_ value: UnsafePointer<GValue>) -> String {
    unsafe string(value) ?? VBG_DEFAULT_SUBJECTS
  }

  /// An empty string stands for none, as a user of a command line would expect.
  private static func string(_ value: UnsafePointer<GValue>) -> String? {
    guard let characters = unsafe g_value_get_string(value) else { return nil }
    let string = unsafe String(cString: characters)
    return string.isEmpty ? nil : string
  }

  private func number(
    _ value: UnsafePointer<GValue>, in range: ClosedRange<Double>
  ) -> Double? {
    let number = unsafe g_value_get_double(value)
    return number.isNaN ? nil : min(max(number, range.lowerBound), range.upperBound)
  }
}

/// Which C value stands for which Swift value.
private struct Correspondence<Value: Equatable & Sendable>: Sendable {
  let pairs: [(number: gint, value: Value)]

  /// What `number` stands for; nil when it is none of the enum's values.
  func value(of number: gint) -> Value? { pairs.first { $0.number == number }?.value }

  /// The C value; every Swift value has one.
  func number(of value: Value) -> gint { pairs.first { $0.value == value }?.number ?? 0 }
}

extension Settings {
  private static let effects = Correspondence<Effect>(pairs: [
    (gint(VBG_EFFECT_AUTO.rawValue), .auto), (gint(VBG_EFFECT_BLUR.rawValue), .blur),
    (gint(VBG_EFFECT_REPLACE.rawValue), .replace), (gint(VBG_EFFECT_COLOR.rawValue), .color),
    (gint(VBG_EFFECT_TRANSPARENT.rawValue), .transparent),
    (gint(VBG_EFFECT_MATTE.rawValue), .matte), (gint(VBG_EFFECT_NONE.rawValue), .none),
  ])

  private static let pacings = Correspondence<Pacing>(pairs: [
    (gint(VBG_PACING_REUSE_MATTE.rawValue), .reuseMatte),
    (gint(VBG_PACING_REPEAT_FRAME.rawValue), .repeatFrame),
    (gint(VBG_PACING_DROP_FRAME.rawValue), .dropFrame),
  ])

  private static let qualities = Correspondence<Quality>(pairs: [
    (gint(VBG_QUALITY_FAST.rawValue), .fast), (gint(VBG_QUALITY_BALANCED.rawValue), .balanced),
    (gint(VBG_QUALITY_ACCURATE.rawValue), .accurate),
  ])

  private static let fits = Correspondence<Fit>(pairs: [
    (gint(VBG_FIT_COVER.rawValue), .cover), (gint(VBG_FIT_CONTAIN.rawValue), .contain),
    (gint(VBG_FIT_STRETCH.rawValue), .stretch),
  ])

  private static let keeps = Correspondence<EffectSettings.Keep>(pairs: [
    (gint(VBG_KEEP_EVERYONE.rawValue), .everyone), (gint(VBG_KEEP_NEAREST.rawValue), .nearest),
    (gint(VBG_KEEP_TRACKED.rawValue), .tracked),
  ])

  private static let policies = Correspondence<EffectSettings.FailurePolicy>(pairs: [
    (gint(VBG_ON_FAILURE_BLUR.rawValue), .blur), (gint(VBG_ON_FAILURE_COLOR.rawValue), .color),
    (gint(VBG_ON_FAILURE_HOLD.rawValue), .hold), (gint(VBG_ON_FAILURE_DROP.rawValue), .drop),
    (gint(VBG_ON_FAILURE_ERROR.rawValue), .error),
  ])
}
