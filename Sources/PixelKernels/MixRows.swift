import PixelTypes

extension CompiledKernels {
  /// Interpolates between two rows.
  public static func mixRows(
    _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let below = UInt16(truncatingIfNeeded: weight)
    let above = 256 &- below
    // Each way on its own: the check for overlap that guards the vectorised loop would send a row
    // that is written in place through the scalar one.
    if unsafe out == UnsafeMutablePointer(mutating: top) {
      for i in 0..<count {
        unsafe out[i] = UInt8(truncatingIfNeeded: mixed(out[i], bottom[i], above, below))
      }
    } else if unsafe out == UnsafeMutablePointer(mutating: bottom) {
      for i in 0..<count {
        unsafe out[i] = UInt8(truncatingIfNeeded: mixed(top[i], out[i], above, below))
      }
    } else {
      for i in 0..<count {
        unsafe out[i] = UInt8(truncatingIfNeeded: mixed(top[i], bottom[i], above, below))
      }
    }
  }

  /// The mean of two samples by weights of 256 in sum, rounded to nearest, halves up: at most 255, and
  /// before the shift 255 * 256 + 128, which 16 bits hold.
  @inline(__always) static func mixed(
    _ top: UInt8, _ bottom: UInt8, _ above: UInt16, _ below: UInt16
  ) -> UInt16 {
    (UInt16(top) &* above &+ UInt16(bottom) &* below &+ 128) &>> 8
  }
}
