/// A curve that brightens dark samples most, in fixed point.
///
/// With a sample `x` of 0 to 1, the curve repeats `x += a * x * (1 - x)` three times. Unlike a gain,
/// it clips no highlights. In `w = a * (1 - x) + (1 - a) / 2`, each step is a square and a sum.
public struct BrightnessCurve: Equatable, Sendable {
  /// The code values of black and white.
  public let black: UInt8, white: UInt8
  /// `a` in units of `65535 / (white - black)`.
  ///
  /// Because `a` is a multiple of this unit, `w` of each code value is a whole number.
  public let slope: UInt16
  /// `w` of black, the constant of a step, and `w` of white plus half a code value, times 65536.
  public let start: UInt16, step: UInt16, end: UInt16
  /// The code values per unit of `w`.
  public let scale: UInt16
  /// `(1 + a) / 2`, times 32768.
  public let chromaOffset: UInt16

  /// The minimum `slope`, because a smaller one changes no sample by more than 3 code values.
  public static let minSlope = 4

  /// Creates a curve with an `a` of `amount`, 0 to 1, for the luma of `colorimetry`.
  ///
  /// Returns nil if the curve would hardly change the samples.
  public init?(amount: Double, _ colorimetry: Colorimetry) {
    let span = colorimetry.scale.lumaSpan
    let maxSlope = (65535 / (span + 0.5)).rounded(.down)
    let slope = (amount * 65535 / span).rounded()
    guard slope >= Double(Self.minSlope) else { return nil }
    self.slope = UInt16(min(slope, maxSlope))
    black = UInt8(colorimetry.scale.lumaOffset)
    white = UInt8(colorimetry.scale.lumaOffset + span)
    let a = Double(self.slope) * span / 65535
    let rest = (1 - a) / 2
    start = UInt16(((1 + a) / 2 * 65535).rounded())
    step = UInt16(((rest - rest * rest) * 65536 + 0.5).rounded())
    end = UInt16(max((rest * 65536 - Double(self.slope) / 2).rounded(), 0))
    scale = UInt16((65536 / Double(self.slope)).rounded())
    chromaOffset = UInt16(((1 + a) / 2 * 32768).rounded())
  }
}
