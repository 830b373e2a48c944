import PixelTypes

/// Converts YCbCr between matrices and ranges, in place.
///
/// The error is at most 1 for every colour that the target can represent.
struct ColorimetryChange {
  // Factors and offsets are multiples of 2^-14. The new chroma does not depend on luma, because
  // grey has no chroma in any matrix.
  private typealias Weights = (luma: Int32, cb: Int32, cr: Int32, offset: Int32)

  private let luma: Weights
  private let cb: Weights
  private let cr: Weights

  /// Creates a conversion from one colorimetry to another.
  init(from source: Colorimetry, to target: Colorimetry) {
    let (kr, kb) = source.lumaWeights
    let kg = 1 - kr - kb
    let (newKr, newKb) = target.lumaWeights
    let newKg = 1 - newKr - newKb
    let (offset, lumaSpan, chromaSpan) = source.scale
    let (newOffset, newLumaSpan, newChromaSpan) = target.scale
    // The contributions of Cb and Cr to the new luma, before scaling to the ranges.
    let a = 2 * (1 - kb) * (newKb - newKg * kb / kg)
    let b = 2 * (1 - kr) * (newKr - newKg * kr / kg)
    func fixed(_ number: Double) -> Int32 { Int32((number * 16384).rounded()) }
    func weights(_ luma: Double, _ cb: Double, _ cr: Double, _ offset: Double) -> Weights {
      (fixed(luma), fixed(cb), fixed(cr), fixed(offset + 0.5))
    }
    let lumaScale = newLumaSpan / lumaSpan
    luma = weights(
      lumaScale, a * newLumaSpan / chromaSpan, b * newLumaSpan / chromaSpan,
      newOffset - offset * lumaScale)
    let chromaScale = newChromaSpan / chromaSpan
    let blue = chromaScale / (2 * (1 - newKb))
    let red = chromaScale / (2 * (1 - newKr))
    cb = weights(0, (2 * (1 - kb) - a) * blue, -b * blue, 128)
    cr = weights(0, -a * red, (2 * (1 - kr) - b) * red, 128)
  }

  /// Converts a picture in place.
  ///
  /// `chroma` contains interleaved Cb and Cr of half luma's size, rounded up.
  func apply(luma lumaRaster: Raster<UInt8>, chroma: Raster<UInt8>) {
    for y in 0..<lumaRaster.height {
      unsafe changeLuma(lumaRaster.row(y), chroma.row(y / 2), lumaRaster.width)
    }
    for y in 0..<chroma.height {
      unsafe changeChroma(chroma.row(y), chroma.width / 2)
    }
  }

  private func changeLuma(
    _ row: UnsafeMutablePointer<UInt8>, _ chroma: UnsafePointer<UInt8>, _ count: Int
  ) {
    let weights = luma
    for x in 0..<count {
      let pair = x & ~1
      let (b, r) = unsafe (Int32(chroma[pair]) &- 128, Int32(chroma[pair + 1]) &- 128)
      let sum = unsafe weights.luma &* Int32(row[x]) &+ weights.cb &* b &+ weights.cr &* r
      unsafe row[x] = code(sum &+ weights.offset)
    }
  }

  private func changeChroma(_ row: UnsafeMutablePointer<UInt8>, _ count: Int) {
    let (first, second) = (cb, cr)
    for x in 0..<count {
      let (b, r) = unsafe (Int32(row[2 * x]) &- 128, Int32(row[2 * x + 1]) &- 128)
      unsafe row[2 * x] = code(first.cb &* b &+ first.cr &* r &+ first.offset)
      unsafe row[2 * x + 1] = code(second.cb &* b &+ second.cr &* r &+ second.offset)
    }
  }

  @inline(__always)
  private func code(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(sum >> 14, 0), 255))
  }
}
