/// The range of a colour channel after conversion: 0 becomes `low`, 255 becomes `high`.
public struct SampleRange: Equatable, Sendable {
  /// The minimum, for a sample of 0, and the maximum, for a sample of 255.
  public var low: Float, high: Float

  /// Creates a range with `low` at most `high`.
  public init(low: Float, high: Float) { (self.low, self.high) = (low, high) }
}

/// The coefficients that convert YCbCr to floating-point RGB.
public struct RGBCoefficients: Equatable, Sendable {
  /// The contribution of luma to one channel, and the channel's limits.
  public struct Channel: Equatable, Sendable {
    /// The factor of luma, and the number that is added to the scaled luma.
    public var luma: Float, offset: Float
    /// The minimum and the maximum of a sample.
    public var low: Float, high: Float
  }

  /// The contributions of luma.
  public var red: Channel, green: Channel, blue: Channel
  /// The factors of chroma.
  public var redFromCr: Float, greenFromCb: Float, greenFromCr: Float, blueFromCb: Float

  /// Creates the coefficients for 8-bit code values of `colorimetry`, with a range per channel.
  ///
  /// ITU-R BT.601, BT.709 and BT.2020: the inverse of `Colorimetry.codeValues`.
  public init(_ colorimetry: Colorimetry, red: SampleRange, green: SampleRange, blue: SampleRange) {
    let (kr, kb) = colorimetry.lumaWeights
    let (lumaOffset, lumaSpan, chromaSpan) = colorimetry.scale
    let kg = 1 - kr - kb
    func span(_ range: SampleRange) -> Double { Double(range.high - range.low) }
    func channel(_ range: SampleRange) -> Channel {
      Channel(
        luma: Float(span(range) / lumaSpan),
        offset: Float(Double(range.low) - span(range) * lumaOffset / lumaSpan),
        low: range.low, high: range.high)
    }
    self.red = channel(red)
    self.green = channel(green)
    self.blue = channel(blue)
    redFromCr = Float(span(red) * 2 * (1 - kr) / chromaSpan)
    greenFromCb = Float(-span(green) * 2 * kb * (1 - kb) / kg / chromaSpan)
    greenFromCr = Float(-span(green) * 2 * kr * (1 - kr) / kg / chromaSpan)
    blueFromCb = Float(span(blue) * 2 * (1 - kb) / chromaSpan)
  }

  /// Creates the coefficients for 8-bit code values of `colorimetry` and RGB of `low` to `high`.
  public init(_ colorimetry: Colorimetry, low: Float, high: Float) {
    let range = SampleRange(low: low, high: high)
    self.init(colorimetry, red: range, green: range, blue: range)
  }
}

/// The factors of three components in one, and its offset.
public struct ColorFactors: Equatable, Sendable {
  /// The factors of luma or red, of Cb or green, and of Cr or blue.
  public let first: Float, second: Float, third: Float
  /// Added to the weighted sum.
  public let offset: Float

  /// Creates factors.
  public init(_ first: Double, _ second: Double, _ third: Double, offset: Double) {
    (self.first, self.second, self.third) = (Float(first), Float(second), Float(third))
    self.offset = Float(offset)
  }

  /// Returns the factors that convert code values of `colorimetry` to red, green and blue of 0 to
  /// 1.
  public static func colors(_ colorimetry: Colorimetry) -> [ColorFactors] {
    let c = RGBCoefficients(colorimetry, low: 0, high: 1)
    return [
      (c.red, 0, c.redFromCr), (c.green, c.greenFromCb, c.greenFromCr), (c.blue, c.blueFromCb, 0),
    ].map { (channel: RGBCoefficients.Channel, cb: Float, cr: Float) in
      // The neutral chroma value is 128.
      let offset = Double(channel.offset) - 128 * (Double(cb) + Double(cr))
      return ColorFactors(Double(channel.luma), Double(cb), Double(cr), offset: offset)
    }
  }

  /// Returns the factors that convert red, green and blue of 0 to `maximum` to luma, Cb and Cr.
  ///
  /// `Colorimetry.codeValues` uses the same weights.
  public static func codes(_ colorimetry: Colorimetry, of maximum: Double = 1) -> [ColorFactors] {
    let (kr, kb) = colorimetry.lumaWeights
    let kg = 1 - kr - kb
    let scale = colorimetry.scale
    let (span, chromaSpan) = (scale.lumaSpan / maximum, scale.chromaSpan / maximum)
    let (b, r) = (chromaSpan / (2 * (1 - kb)), chromaSpan / (2 * (1 - kr)))
    return [
      ColorFactors(kr * span, kg * span, kb * span, offset: scale.lumaOffset),
      ColorFactors(-kr * b, -kg * b, (1 - kb) * b, offset: 128),
      ColorFactors((1 - kr) * r, -kg * r, -kb * r, offset: 128),
    ]
  }
}

/// The coefficients that convert YCbCr to 8-bit RGB, in units of 1/65536.
///
/// The offsets include the half that rounds to nearest.
public struct FixedRGBCoefficients: Equatable, Sendable {
  /// The factor of luma.
  public let luma: Int32
  /// The factors of chroma.
  public let redFromCr: Int32, greenFromCb: Int32, greenFromCr: Int32, blueFromCb: Int32
  /// The numbers that are added to each channel.
  public let redOffset: Int32, greenOffset: Int32, blueOffset: Int32

  /// Creates the coefficients for 8-bit code values of `colorimetry` and RGB of 0 to 255.
  ///
  /// They are the rounded values of `RGBCoefficients`.
  public init(_ colorimetry: Colorimetry) {
    let exact = RGBCoefficients(colorimetry, low: 0, high: 255)
    func fixed(_ value: Float) -> Int32 { Int32((Double(value) * 65536).rounded()) }
    luma = fixed(exact.red.luma)
    redFromCr = fixed(exact.redFromCr)
    greenFromCb = fixed(exact.greenFromCb)
    greenFromCr = fixed(exact.greenFromCr)
    blueFromCb = fixed(exact.blueFromCb)
    // The neutral chroma value is 128.
    let base = fixed(exact.red.offset) + 32768
    redOffset = base - 128 * redFromCr
    greenOffset = base - 128 * (greenFromCb + greenFromCr)
    blueOffset = base - 128 * blueFromCb
  }
}
