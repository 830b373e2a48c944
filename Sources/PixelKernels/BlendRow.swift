import PixelTypes

extension CompiledKernels {
  /// Blends the frame's row over a background, exactly.
  ///
  /// The alpha is mixed on the way: a row of it need not be written and read again.
  public static func blendRow(
    _ row: UnsafeMutablePointer<UInt8>, _ background: UnsafePointer<UInt8>,
    _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int, _ count: Int
  ) {
    let below = UInt16(truncatingIfNeeded: weight)
    let above = 256 &- below
    for i in 0..<count {
      let alpha = unsafe mixed(top[i], bottom[i], above, below)
      let sum = unsafe UInt16(row[i]) &* alpha &+ UInt16(background[i]) &* (255 &- alpha)
      // Division by 255, rounded to nearest: exact for all sums up to 255 * 255, and in 16 bits.
      let rounded = sum &+ 128
      unsafe row[i] = UInt8(truncatingIfNeeded: (rounded &+ (rounded &>> 8)) &>> 8)
    }
  }
}
