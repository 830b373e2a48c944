import PixelTypes

extension PortableKernels {
  /// Interpolates between two rows.
  public static func mixRows(
    _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let below = UInt16(truncatingIfNeeded: weight)
    let above = 256 &- below
    for i in 0..<count {
      // At most 255 * 256 + 128, which 16 bits hold.
      let sum = unsafe UInt16(top[i]) &* above &+ UInt16(bottom[i]) &* below
      unsafe out[i] = UInt8(truncatingIfNeeded: (sum &+ 128) &>> 8)
    }
  }
}
