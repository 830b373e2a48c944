import PixelTypes

extension CompiledKernels {
  /// Blends the frame's row over a background, exactly.
  public static func blendRow(
    _ row: UnsafeMutablePointer<UInt8>, _ background: UnsafePointer<UInt8>,
    _ alpha: UnsafePointer<UInt8>, _ count: Int
  ) {
    for i in 0..<count {
      let weight = unsafe UInt16(alpha[i])
      let sum = unsafe UInt16(row[i]) &* weight &+ UInt16(background[i]) &* (255 &- weight)
      // Division by 255, rounded to nearest: exact for all sums up to 255 * 255, and in 16 bits.
      let rounded = sum &+ 128
      unsafe row[i] = UInt8(truncatingIfNeeded: (rounded &+ (rounded &>> 8)) &>> 8)
    }
  }
}
