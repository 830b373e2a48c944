import Matting
import PixelTypes

/// A frame with its matte.
struct MattedFrame {
  var frame: Frame
  /// The same frame, reduced by `1 << shift`.
  var reduced: Frame
  let shift: Int
  var matte: Matte
  /// Whether the matte follows the edge of the person exactly.
  let isExact: Bool
  /// The time of the frame in nanoseconds.
  let time: UInt64
}

/// The way in which a frame and its matte are combined.
enum Composition {
  /// The person in front of another background.
  case replaced
  /// The person in front of the blurred real background.
  case blurred
  /// Only the person, with alpha.
  case isolated
  /// The matte.
  case matte
  /// The unchanged frame.
  case unchanged

  /// Chooses by the settings and by whether the output has alpha.
  init(_ settings: EffectSettings, outputHasAlpha: Bool) {
    switch settings.effect {
    case .replace, .color: self = .replaced
    case .transparent: self = outputHasAlpha ? .isolated : .replaced
    case .matte: self = .matte
    case .none: self = .unchanged
    // A radius of 0 leaves the background sharp, as requested.
    case .blur: self = settings.hidesRoom ? .blurred : .unchanged
    }
  }

  /// Whether the person is treated before it is blended.
  ///
  /// `isExact` indicates whether the matte follows the edge exactly.
  func treatsEdge(with settings: EffectSettings, isExact: Bool) -> Bool {
    switch self {
    case .isolated: true
    case .replaced:
      settings.despill || settings.lightWrap > 0
        || settings.effect == .replace && settings.matchLight > 0
    // The blurred background has nearly the colour of the sharp one, so only an exact edge benefits
    // from despilling. Estimating the colours takes longer than the whole blur of a small frame.
    case .blurred: settings.despill && isExact
    case .matte, .unchanged: false
    }
  }
}
