import GStreamerVideo
import PixelTypes

/// The preference in the negotiation of the source pad's caps.
///
/// The output of every effect can have any format.
enum NegotiationAim: Equatable {
  /// The format of the input frames, which needs no conversion.
  case sameFormat
  /// A format with alpha.
  case alpha
  /// GRAY8 if downstream names it first, else the same format.
  case gray

  init(_ settings: Settings) {
    if settings.isNeutral {
      self = .sameFormat
    } else {
      switch settings.effect {
      case .transparent: self = .alpha
      case .matte: self = .gray
      case .auto, .blur, .replace, .color, .none: self = .sameFormat
      }
    }
  }

  /// Chooses the output format among `offered`, the formats in downstream's order.
  func choose(from offered: [PixelFormat], input: PixelFormat?) -> PixelFormat? {
    if self == .alpha, let format = offered.first(where: \.hasAlpha) { return format }
    if self == .gray, offered.first == .gray8 { return .gray8 }
    if let input, offered.contains(input) { return input }
    return PixelFormat.allCases.first { offered.contains($0) }
  }

  /// The output formats for an input, in order of preference.
  func wanted(of input: PixelFormat?) -> [PixelFormat] {
    let others = PixelFormat.allCases.filter { $0 != input }
    let all = (input.map { [$0] } ?? []) + others
    return self == .alpha ? all.filter(\.hasAlpha) + all.filter { !$0.hasAlpha } : all
  }
}
