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
    let colors = ColorFactors.colors(source)
    let weights = ColorFactors.codes(target).map { code -> Weights in
      func sum(_ part: (ColorFactors) -> Float) -> Double {
        zip([code.first, code.second, code.third], colors).reduce(0) {
          $0 + Double($1.0) * Double(part($1.1))
        }
      }
      func fixed(_ number: Double) -> Int32 { Int32((number * 16384).rounded()) }
      let (cb, cr) = (sum(\.second), sum(\.third))
      // `apply` subtracts the neutral chroma value, 128. The half rounds to nearest.
      let offset = Double(code.offset) + sum(\.offset) + 128 * (cb + cr) + 0.5
      return (fixed(sum(\.first)), fixed(cb), fixed(cr), fixed(offset))
    }
    (luma, cb, cr) = (weights[0], weights[1], weights[2])
  }

  /// Converts a picture in place.
  ///
  /// `chroma` contains interleaved Cb and Cr of half luma's size, rounded up.
  func apply(luma lumaRaster: Raster<UInt8>, chroma: Raster<UInt8>) {
    let (luma, first, second, width) = (luma, cb, cr, lumaRaster.width)
    for y in 0..<lumaRaster.height {
      let (row, pairs) = unsafe (lumaRaster.row(y), UnsafePointer(chroma.row(y / 2)))
      for x in 0..<width {
        let (b, r) = unsafe (Int32(pairs[x & ~1]) &- 128, Int32(pairs[x | 1]) &- 128)
        let sum = unsafe luma.luma &* Int32(row[x]) &+ luma.cb &* b &+ luma.cr &* r
        unsafe row[x] = code(sum &+ luma.offset)
      }
    }
    for y in 0..<chroma.height {
      let row = unsafe chroma.row(y)
      for x in 0..<chroma.width / 2 {
        let (b, r) = unsafe (Int32(row[2 * x]) &- 128, Int32(row[2 * x + 1]) &- 128)
        unsafe row[2 * x] = code(first.cb &* b &+ first.cr &* r &+ first.offset)
        unsafe row[2 * x + 1] = code(second.cb &* b &+ second.cr &* r &+ second.offset)
      }
    }
  }

  @inline(__always)
  private func code(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(sum >> 14, 0), 255))
  }
}
