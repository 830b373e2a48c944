import Matting

/// The user's settings that affect the pixels, copied for each frame.
///
/// A number outside its range counts as the nearest valid one, and NaN counts as the default.
public struct EffectSettings: Equatable, Sendable {
  /// The effect on the background.
  public enum Effect: Equatable, Sendable {
    /// Blurs the background.
    case blur
    /// Replaces the background with the plate.
    case replace
    /// Replaces the background with `backgroundColor`.
    case color
    /// Removes the background, so that only the person is shown, with alpha.
    ///
    /// A picture without alpha shows `backgroundColor`.
    case transparent
    /// Shows the matte instead of the frame, with a white person on a black background.
    case matte
    /// Shows the frame, also if it has no matte.
    case none
  }

  /// The part of each frame to show.
  public enum Framing: Equatable, Sendable {
    /// The whole frame.
    case fixed
    /// A region that follows the people.
    case follow
  }

  /// The shape into which a blur spreads a point of light.
  public enum BlurShape: Equatable, Sendable {
    /// A soft spot.
    case gaussian
    /// A disc of even brightness with the same variance.
    case lens
  }

  /// The output if a frame has no matte.
  public enum FailurePolicy: Equatable, Sendable {
    /// The whole frame, blurred beyond recognition.
    case blur
    /// `backgroundColor` over the whole frame.
    case color
    /// The last good output.
    case hold
    /// Nothing: the frame is dropped.
    case drop
    /// Nothing: the stream ends with an error.
    case error
  }

  /// The effect on the background.
  public var effect: Effect = .blur
  /// The background colour, with red, green and blue in the low 24 bits.
  ///
  /// The alpha in the high 8 bits is ignored.
  public var backgroundColor: UInt32 = 0xFF00_FF00
  /// Sigma of the blur in pixels of a 720-line frame, 0 to 100.
  ///
  /// A value above 0 that is too small to hide the background is increased.
  public var blurRadius = 10.0
  /// The shape of the blur.
  public var blurShape = BlurShape.gaussian
  /// The settings that the matte depends on.
  public var matte = MatteSettings()
  /// The frames that get an inference.
  public var inference = MatteSettings.Inference.whenNeeded
  /// Whether the real background's colour is removed from the person's edge.
  public var despill = true
  /// The amount of a new background's light on the person's rim, 0 to 1.
  public var lightWrap = 0.0
  /// How far the light on the person approaches the light of a new background, 0 to 1.
  public var matchLight = 0.0
  /// The amount by which dark frames are brightened, 0 to 1.
  public var lowLight = 0.0
  /// The part of each frame to show.
  public var framing = Framing.fixed
  /// The maximum enlargement by `framing`, 1 to 2.
  public var maxZoom = 2.0
  /// The output if a frame has no matte.
  public var onFailure = FailurePolicy.blur

  /// Creates settings with the element's defaults.
  public init() {}

  /// Whether these settings hide the real background.
  ///
  /// All effects do, except the unchanged frame and a blur with a radius of 0.
  public var hidesRoom: Bool { effect != .none && (effect != .blur || blurRadius != 0) }

  /// The settings with amounts in their documented ranges.
  ///
  /// `blurRadius` is unchanged, because the blur limits it.
  var valid: EffectSettings {
    let standard = EffectSettings()
    var settings = self
    func limit(_ value: inout Double, to range: ClosedRange<Double>, or standard: Double) {
      value = value.isNaN ? standard : min(max(value, range.lowerBound), range.upperBound)
    }
    limit(&settings.matte.grow, to: -50...50, or: standard.matte.grow)
    limit(&settings.matte.feather, to: -50...50, or: standard.matte.feather)
    limit(&settings.matte.smoothing, to: 0...1, or: standard.matte.smoothing)
    limit(&settings.lightWrap, to: 0...1, or: standard.lightWrap)
    limit(&settings.matchLight, to: 0...1, or: standard.matchLight)
    limit(&settings.lowLight, to: 0...1, or: standard.lowLight)
    limit(&settings.maxZoom, to: 1...2, or: standard.maxZoom)
    return settings
  }
}
