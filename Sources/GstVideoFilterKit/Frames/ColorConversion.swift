import PixelTypes

/// Converts YCbCr to RGB, and RGB to luma, for the matrix and range of a stream.
///
/// The coefficients are fixed-point numbers with 16 fractional bits.
struct ColorConversion {
  private let offset: Int32
  private let luma: Int32
  private let redFromCr: Int32
  private let greenFromCb: Int32
  private let greenFromCr: Int32
  private let blueFromCb: Int32
  private let weights: (red: Int32, green: Int32, blue: Int32)
  private let lumaOffset: Int32

  init(_ colorimetry: Colorimetry) {
    let (kr, kb) = colorimetry.lumaWeights
    let kg = 1 - kr - kb
    let (offset, lumaSpan, chromaSpan) = colorimetry.scale
    func fixed(_ value: Double) -> Int32 { Int32((value * 65536).rounded()) }
    self.offset = Int32(offset)
    luma = fixed(255 / lumaSpan)
    redFromCr = fixed(2 * (1 - kr) * 255 / chromaSpan)
    greenFromCb = fixed(-2 * (1 - kb) * kb / kg * 255 / chromaSpan)
    greenFromCr = fixed(-2 * (1 - kr) * kr / kg * 255 / chromaSpan)
    blueFromCb = fixed(2 * (1 - kb) * 255 / chromaSpan)
    let span = lumaSpan / 255
    weights = (fixed(kr * span), fixed(kg * span), fixed(kb * span))
    lumaOffset = fixed(offset)
  }

  /// Returns red, green and blue, 0 to 255 each, for coded samples.
  func colors(_ y: UInt8, _ cb: UInt8, _ cr: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let grey = luma &* (Int32(y) &- offset) &+ 0x8000
    let (b, r) = (Int32(cb) &- 128, Int32(cr) &- 128)
    func byte(_ value: Int32) -> UInt8 {
      UInt8(truncatingIfNeeded: max(0, min(255, value &>> 16)))
    }
    return (
      byte(grey &+ redFromCr &* r), byte(grey &+ greenFromCb &* b &+ greenFromCr &* r),
      byte(grey &+ blueFromCb &* b)
    )
  }

  /// Returns the coded luma of a colour.
  func luma(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    let sum =
      weights.red &* Int32(red) &+ weights.green &* Int32(green) &+ weights.blue &* Int32(blue)
    return UInt8(truncatingIfNeeded: (sum &+ lumaOffset &+ 0x8000) &>> 16)
  }
}
