/// A change of exposure, contrast and white balance, in fixed point for the row kernels.
///
/// Black stays black. The gain of luma changes linearly from black to white, and chroma is scaled
/// and shifted.
public struct LightCurve: Equatable, Sendable {
  /// The code value of black.
  public let low: UInt8
  /// The gain of luma at black, in units of 1/8192.
  public let gain: Int16
  /// The change of the gain per code value, in units of 1/8192 per 512 code values.
  public let slope: Int16
  /// The gain of chroma, in units of 1/128.
  public let saturation: Int16
  /// The shift of Cb and of Cr, in units of 1/128 of a code value.
  public let cb: Int16, cr: Int16

  /// Creates a curve, with each value limited to its range, and 0 for NaN.
  public init(
    gainAtBlack: Float, gainAtWhite: Float, saturation: Float, cb: Float, cr: Float,
    colorimetry: Colorimetry
  ) {
    let (black, white) = (Self.limited(gainAtBlack, 0, 2), Self.limited(gainAtWhite, 0, 2))
    let scale = colorimetry.scale
    low = UInt8(scale.lumaOffset)
    gain = Int16(black * 8192)
    let change = (white - black) / Float(scale.lumaSpan)
    slope = Int16(Self.limited(change * 4_194_304, -32767, 32767))
    self.saturation = Int16((Self.limited(saturation, 0, 1.5) * 128).rounded())
    self.cb = Int16(Self.limited(cb, -16, 16) * 128)
    self.cr = Int16(Self.limited(cr, -16, 16) * 128)
  }

  /// Creates a curve that brightens dark samples most, for `brightenRow` and `brightenPairs`.
  ///
  /// With a sample `x` of 0 for black to 1 for white, the curve is `x += amount * x * (1 - x)`.
  /// Unlike a gain, it clips no highlights. `amount` is limited to 0.998, because the product of
  /// three gains must be less than 8.
  public init(brighteningBy amount: Double, _ colorimetry: Colorimetry) {
    self.init(
      gainAtBlack: 1 + Self.limited(Float(amount), 0, 0.998), gainAtWhite: 1, saturation: 1, cb: 0,
      cr: 0, colorimetry: colorimetry)
  }

  private static func limited(_ value: Float, _ low: Float, _ high: Float) -> Float {
    value.isNaN ? 0 : min(max(value, low), high)
  }
}
