/// The encoding of colours in a YCbCr picture.
public struct Colorimetry: Equatable, Sendable {
  /// The luma coefficients that turn RGB into YCbCr.
  public enum Matrix: Equatable, Sendable {
    /// ITU-R BT.601: standard definition and most webcams.
    case bt601
    /// ITU-R BT.709: high definition.
    case bt709
    /// ITU-R BT.2020, non-constant luminance.
    case bt2020
  }

  /// The range of the sample values.
  public enum Range: Equatable, Sendable {
    /// Luma 16 to 235, chroma 16 to 240.
    case limited
    /// 0 to 255.
    case full
  }

  /// The luma coefficients.
  public var matrix: Matrix
  /// The range of the sample values.
  public var range: Range

  /// Creates a description of a picture's colours.
  public init(matrix: Matrix, range: Range) { (self.matrix, self.range) = (matrix, range) }

  /// The weights of red and blue in luma, as the Recommendations name them: Kr and Kb.
  public var lumaWeights: (red: Double, blue: Double) {
    switch matrix {
    case .bt601: (0.299, 0.114)
    case .bt709: (0.2126, 0.0722)
    case .bt2020: (0.2627, 0.0593)
    }
  }

  /// Offset of luma, and the spans of luma and chroma, in 8-bit code values.
  public var scale: (lumaOffset: Double, lumaSpan: Double, chromaSpan: Double) {
    switch range {
    case .limited: (16, 219, 224)
    case .full: (0, 255, 255)
    }
  }

  /// Returns the code values of a colour, with red, green and blue in the low 24 bits.
  ///
  /// The high 8 bits are ignored.
  public func codeValues(of color: UInt32) -> (luma: UInt8, cb: UInt8, cr: UInt8) {
    func byte(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: color >> shift) }
    return codeValues(red: byte(16), green: byte(8), blue: byte(0))
  }

  /// Returns the 8-bit YCbCr code values of a colour, with red, green and blue of 0 to 255.
  ///
  /// ITU-R BT.601, BT.709 and BT.2020, section on digital representation. Rounded to nearest.
  public func codeValues(
    red: UInt8, green: UInt8, blue: UInt8
  ) -> (luma: UInt8, cb: UInt8, cr: UInt8) {
    let (kr, kb) = lumaWeights
    let (offset, lumaSpan, chromaSpan) = scale
    let (r, g, b) = (Double(red) / 255, Double(green) / 255, Double(blue) / 255)
    let y = kr * r + (1 - kr - kb) * g + kb * b
    let cb = (b - y) / (2 * (1 - kb))
    let cr = (r - y) / (2 * (1 - kr))
    func code(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
    return (
      code(offset + lumaSpan * y), code(128 + chromaSpan * cb), code(128 + chromaSpan * cr)
    )
  }
}
