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
