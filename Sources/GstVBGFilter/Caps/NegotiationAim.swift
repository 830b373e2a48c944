import PixelTypes

/// The preferred format of the source pad.
///
/// This is only a preference: every effect can produce every format.
enum NegotiationAim: Equatable {
  /// The format of the input frames, which needs no conversion.
  case sameFormat
  /// A format with alpha.
  case alpha
  /// GRAY8 if it is downstream's first format, otherwise the format of the input frames.
  case gray

  /// Returns the preference for the effect in `settings`.
  init(_ settings: Settings) {
    switch settings.effect {
    case .transparent where !settings.isNeutral: self = .alpha
    case .matte where !settings.isNeutral: self = .gray
    default: self = .sameFormat
    }
  }

  /// Chooses the output format from `offered`, the formats in downstream's order of preference.
  ///
  /// `input` is the format of the input frames. Returns nil if `offered` is empty.
  func choose(from offered: [PixelFormat], input: PixelFormat?) -> PixelFormat? {
    if self == .alpha, let format = offered.first(where: \.hasAlpha) { return format }
    if self == .gray, offered.first == .gray8 { return .gray8 }
    if let input, offered.contains(input) { return input }
    return PixelFormat.allCases.first { offered.contains($0) }
  }

  /// Returns all output formats for an input format, in order of preference.
  func outputFormats(for input: PixelFormat?) -> [PixelFormat] {
    let others = PixelFormat.allCases.filter { $0 != input }
    let all = (input.map { [$0] } ?? []) + others
    return self == .alpha ? all.filter(\.hasAlpha) + all.filter { !$0.hasAlpha } : all
  }
}
