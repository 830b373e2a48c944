import PixelTypes

/// Interpolates mattes by cubic convolution (Keys 1981, the Catmull-Rom spline).
///
/// Unlike bilinear interpolation it preserves the sharpness of edges.
final class CubicInterpolation {
  /// The weights of four samples add up to `1 << weightShift`.
  private static let weightShift = 7
  /// The four weights for each fraction of a sample.
  private let weights: Raster<Int16>

  init() {
    let parts = 1 << MotionBlock.fractionShift
    weights = Raster(width: 4, height: parts, filledWith: 0)
    for part in 0..<parts {
      let t = Double(part) / Double(parts), sum = Double(1 << Self.weightShift)
      let row = unsafe weights.row(part)
      unsafe row[0] = Int16(((-t * t * t + 2 * t * t - t) / 2 * sum).rounded())
      unsafe row[2] = Int16(((-3 * t * t * t + 4 * t * t + t) / 2 * sum).rounded())
      unsafe row[3] = Int16(((t * t * t - t * t) / 2 * sum).rounded())
      unsafe row[1] = Int16(sum) - row[0] - row[2] - row[3]
    }
  }

  /// Returns the alpha at a position in sixteenths of a sample.
  ///
  /// Samples at the border of the matte are repeated beyond it.
  func sample(_ matte: Raster<UInt8>, _ x: Int, _ y: Int) -> UInt8 {
    let (column, row) = (x >> MotionBlock.fractionShift, y >> MotionBlock.fractionShift)
    // Most samples are fully background or fully person.
    if let alpha = flatAlpha(matte, column, row) { return alpha }
    let mask = 1 << MotionBlock.fractionShift - 1
    let (across, down) = unsafe (weights.row(x & mask), weights.row(y & mask))
    let lastColumn = matte.width - 1, lastRow = matte.height - 1
    let columns = SIMD4(column - 1, column, column + 1, column + 2)
      .clamped(lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: lastColumn))
    var sum = 1 << (2 * Self.weightShift - 1)
    for line in 0..<4 {
      let samples = unsafe matte.row(min(max(row - 1 + line, 0), lastRow))
      var part = 0
      for index in 0..<4 { unsafe part &+= Int(across[index]) &* Int(samples[columns[index]]) }
      unsafe sum &+= Int(down[line]) &* part
    }
    return UInt8(min(max(sum >> (2 * Self.weightShift), 0), 255))
  }

  /// Returns the alpha of the samples around a position if they are all equal.
  private func flatAlpha(_ matte: Raster<UInt8>, _ column: Int, _ row: Int) -> UInt8? {
    guard column >= 1, row >= 1, column + 2 < matte.width, row + 2 < matte.height
    else { return nil }
    func four(_ line: Int) -> UInt32 {
      unsafe UnsafeRawPointer(matte.row(row + line) + column - 1).loadUnaligned(as: UInt32.self)
    }
    let first = four(-1)
    guard first == first & 0xFF &* 0x0101_0101, first == four(0), first == four(1), first == four(2)
    else { return nil }
    return UInt8(truncatingIfNeeded: first)
  }
}
