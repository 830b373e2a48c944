import Matting

/// What the user set, as far as the pixels are concerned; a copy is taken for each frame.
///
/// A number beyond its range counts as the nearest one within, and what is no number as the default.
public struct EffectSettings: Equatable, Sendable {
  /// What becomes of the background.
  public enum Effect: Equatable, Sendable {
    /// Blurred.
    case blur
    /// Replaced by the plate.
    case replace
    /// Replaced by `backgroundColor`.
    case color
    /// Taken away: the person alone, with alpha; a picture without alpha shows `backgroundColor`.
    case transparent
    /// The matte itself is shown: white person, black room.
    case matte
  }

  /// Which people are shown.
  public typealias Keep = MatteSettings.Keep
  /// Which frames get a matte of their own from the network.
  public typealias Inference = MatteSettings.Inference

  /// What goes out instead of a frame that could not be matted.
  public enum FailurePolicy: Equatable, Sendable {
    /// The whole frame, blurred beyond recognition.
    case blur
    /// `backgroundColor` all over.
    case color
    /// The last good output.
    case hold
    /// Nothing: the frame is dropped.
    case drop
    /// Nothing: the stream ends with an error.
    case error
  }

  /// What becomes of the background.
  public var effect: Effect = .blur
  /// Red, green and blue in the low 24 bits; the alpha in the high 8 is not looked at.
  public var backgroundColor: UInt32 = 0xFF00_FF00
  /// Sigma of the blur in pixels of a 720-line frame, 0 to 100; what is above 0 and too small to hide
  /// a room counts as more.
  public var blurRadius = 10.0
  /// Outward shift of the matte's edge in pixels of a 720-line frame, -50 to 50; negative shrinks.
  public var matteGrow = 0.0
  /// Width of a ramp beside the matte's edge, in pixels of a 720-line frame, -50 to 50: outside of what
  /// is opaque, or inside of what is not transparent if negative.
  public var matteFeather = 0.0
  /// Which people are shown.
  public var keep = Keep.everyone
  /// Temporal steadiness of the matte, 0 (none) to 1 (strongest).
  public var smoothing = 0.5
  /// Which frames get a matte of their own.
  public var inference = Inference.everyFrame
  /// Whether the sharp room's colour is taken out of the edge.
  public var despill = true
  /// How much of a new background's light falls on the person's rim, 0 to 1.
  public var lightWrap = 0.0
  /// What goes out instead of a frame that could not be matted.
  public var onFailure = FailurePolicy.blur

  /// The element's defaults.
  public init() {}

  /// The settings that a matte depends on.
  var matte: MatteSettings {
    MatteSettings(keep: keep, grow: matteGrow, feather: matteFeather, smoothing: smoothing)
  }

  /// Whether these settings hide the room: all do but a blur of radius 0, which asks to see it.
  public var hidesRoom: Bool { effect != .blur || blurRadius != 0 }

  /// The same with amounts that are what they are documented to be; the blur sees to its radius itself.
  var valid: EffectSettings {
    let standard = EffectSettings()
    var settings = self
    settings.matteGrow = Self.bounded(matteGrow, in: -50...50, or: standard.matteGrow)
    settings.matteFeather = Self.bounded(matteFeather, in: -50...50, or: standard.matteFeather)
    settings.smoothing = Self.bounded(smoothing, in: 0...1, or: standard.smoothing)
    settings.lightWrap = Self.bounded(lightWrap, in: 0...1, or: standard.lightWrap)
    return settings
  }

  private static func bounded(
    _ value: Double, in range: ClosedRange<Double>, or standard: Double
  ) -> Double {
    value.isNaN ? standard : min(max(value, range.lowerBound), range.upperBound)
  }
}
