import VirtualBackground

extension EffectSettings {
  /// The defaults, but with an inference in every frame.
  ///
  /// A test can then expect a matte of each frame's own.
  public static var everyFrame: EffectSettings {
    var settings = EffectSettings()
    settings.inference = .everyFrame
    return settings
  }
}
