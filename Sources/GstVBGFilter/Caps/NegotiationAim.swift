import GStreamerVideo
import PixelTypes

/// What the caps of the source pad are chosen for.
///
/// It decides only what is preferred: every effect can go out in every format.
enum NegotiationAim: Equatable {
  /// The format in which the frames come, which costs nothing.
  case sameFormat
  /// A format with alpha.
  case alpha
  /// GRAY8 where that is what downstream names first, else the same format.
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

  /// The format to go out in, of those that downstream takes, in its own order.
  func choose(from offered: [PixelFormat], input: PixelFormat?) -> PixelFormat? {
    if self == .alpha, let format = offered.first(where: \.hasAlpha) { return format }
    if self == .gray, offered.first == .gray8 { return .gray8 }
    if let input, offered.contains(input) { return input }
    return Self.byLikeness.first { offered.contains($0) }
  }

  /// The formats in the order in which they are wanted of an input.
  func wanted(of input: PixelFormat?) -> [PixelFormat] {
    let others = Self.byLikeness.filter { $0 != input }
    let all = (input.map { [$0] } ?? []) + others
    return self == .alpha ? all.filter(\.hasAlpha) + all.filter { !$0.hasAlpha } : all
  }

  /// The nearer a format is to what the engine works on, the less there is to be done.
  private static let byLikeness: [PixelFormat] = [
    .nv12, .i420, .nv21, .p010, .a420, .ayuv, .rgba, .bgra, .argb, .abgr, .gray8,
  ]
}
