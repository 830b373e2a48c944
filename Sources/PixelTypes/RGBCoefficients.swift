/// The range of a colour channel after conversion: 0 becomes `low`, 255 becomes `high`.
public struct SampleRange: Equatable, Sendable {
  /// The minimum, for a sample of 0.
  public var low: Float
  /// The maximum, for a sample of 255.
  public var high: Float

  /// Creates a range with `low` at most `high`.
  public init(low: Float, high: Float) {
    self.low = low
    self.high = high
  }
}

/// The coefficients that convert YCbCr to floating-point RGB.
public struct RGBCoefficients: Equatable, Sendable {
  /// The contribution of luma to one channel, and the channel's limits.
  public struct Channel: Equatable, Sendable {
    /// Factor of luma.
    public var luma: Float
    /// Added to the scaled luma.
    public var offset: Float
    /// The minimum of a sample.
    public var low: Float
    /// The maximum of a sample.
    public var high: Float
  }

  /// Contribution of luma to red.
  public var red: Channel
  /// Contribution of luma to green.
  public var green: Channel
  /// Contribution of luma to blue.
  public var blue: Channel
  /// Factor of Cr in red.
  public var redFromCr: Float
  /// Factor of Cb in green.
  public var greenFromCb: Float
  /// Factor of Cr in green.
  public var greenFromCr: Float
  /// Factor of Cb in blue.
  public var blueFromCb: Float

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
  /// Factor of luma or red.
  public let first: Float
  /// Factor of Cb or green.
  public let second: Float
  /// Factor of Cr or blue.
  public let third: Float
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
  public static func codes(
    _ colorimetry: Colorimetry, of maximum: Double = 1
  ) -> [ColorFactors] {
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
  /// Factor of luma.
  public let luma: Int32
  /// Factor of Cr in red.
  public let redFromCr: Int32
  /// Factor of Cb in green.
  public let greenFromCb: Int32
  /// Factor of Cr in green.
  public let greenFromCr: Int32
  /// Factor of Cb in blue.
  public let blueFromCb: Int32
  /// Added to red.
  public let redOffset: Int32
  /// Added to green.
  public let greenOffset: Int32
  /// Added to blue.
  public let blueOffset: Int32

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
